#include "memory_planner/early_lines.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

/// C[i, j] += A[i, k] * B[k, j] in tiles of 6 rows and 4 vectors.
VectorPlan tiles() {
  VectorPlan out;
  out.vector = 1;
  out.held = {6, 4, 1};
  out.written_out = {false, false, false};
  out.outer = {1, 0};
  out.in_registers = true;
  return out;
}

CacheModel caches() { return caches_of(testing::vector_machine()); }

TEST(EarlyLines, OfAnOperandThatTilesReadAgainFromBeyondTheFirstCache) {
  const auto lines = lines_to_ask_for(testing::product(96, 128, 256), tiles(), caches());
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].array, "B");
  EXPECT_EQ(lines[0].loop, 2);
  EXPECT_EQ(lines[0].distance, 34);  // turns of 24 multiply-adds, two in a cycle, in 400 cycles
}

TEST(EarlyLines, NotOfWhatTheFirstCacheHoldsOrOneTileReads) {
  EXPECT_TRUE(lines_to_ask_for(testing::product(96, 128, 32), tiles(), caches()).empty());
  EXPECT_TRUE(lines_to_ask_for(testing::product(6, 128, 256), tiles(), caches()).empty());
  VectorPlan copied = tiles();
  copied.panels = {{"B", -1}};
  EXPECT_TRUE(lines_to_ask_for(testing::product(96, 128, 256), copied, caches()).empty());
  VectorPlan of_terms = tiles();
  of_terms.vector = 2;
  EXPECT_TRUE(lines_to_ask_for(testing::product(96, 128, 256), of_terms, caches()).empty());
  VectorStage scalable = testing::product(96, 128, 256);
  scalable.is_scalable = true;
  EXPECT_TRUE(lines_to_ask_for(scalable, tiles(), caches()).empty());
}

TEST(EarlyLines, FirstReadsAreWaitedForUnlessAsked) {
  const VectorStage stage = testing::product(96, 128, 256);
  VectorPlan plan = tiles();
  EXPECT_DOUBLE_EQ(first_read_cycles(stage, plan, caches()), 128 * 256 * 4 / 64 * 3.0);
  plan.early = lines_to_ask_for(stage, plan, caches());
  EXPECT_DOUBLE_EQ(first_read_cycles(stage, plan, caches()), 0);
  EXPECT_EQ(early_lines_of(plan, stage.accesses[0]), nullptr);
}

TEST(EarlyLines, RowsFarApartFromBeyondTheCachesAreSpreadOverTheTileBefore) {
  const VectorStage large = testing::product(960, 128, 4096);
  const auto lines = lines_to_ask_for(large, tiles(), caches());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].array, "A");
  EXPECT_EQ(lines[0].loop, 0);
  EXPECT_EQ(lines[0].inside, 2);
  EXPECT_EQ(lines[0].distance, 1);
  EXPECT_EQ(lines[1].array, "B");
  EXPECT_EQ(lines[1].inside, -1);
  VectorPlan one_row = tiles();
  one_row.held = {1, 4, 1};  // rows follow each other
  EXPECT_EQ(lines_to_ask_for(large, one_row, caches()).size(), 1U);
}

TEST(EarlyLines, FewLinesInEachTurn) {
  const VectorStage large = testing::product(960, 8192, 4096);
  VectorPlan plan = tiles();
  plan.outer = {0, 1};  // the columns of 128 tiles run in each tile of rows
  const auto lines = lines_to_ask_for(large, plan, caches());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].array, "A");
  EXPECT_EQ(lines[0].inside, 2);  // 6 rows of 256 lines are 12 for each tile
  const VectorStage shorter = testing::product(96000, 8192, 1024);
  EXPECT_EQ(lines_to_ask_for(shorter, plan, caches())[0].inside, 1);  // 3 for each
}

TEST(EarlyLines, PixelsOfManyPlanesAreSpreadOverThePlanesOfTheTileBefore) {
  const VectorStage stage = testing::pixels(16, 3136, 4);
  VectorPlan plan = testing::tiles_of_pixels({1, 0, 2});
  const auto lines = lines_to_ask_for(stage, plan, caches());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].array, "X");
  EXPECT_EQ(lines[0].loop, 1);
  EXPECT_EQ(lines[0].inside, 3);  // 14 pixels of 16 planes are 7 lines for each plane of 2 tiles
  EXPECT_EQ(lines[1].array, "W");
  EXPECT_DOUBLE_EQ(first_read_cycles(stage, plan, caches()), (16 * 3136 + 4 * 256) * 3.0);
  plan.early = {lines[0]};
  EXPECT_DOUBLE_EQ(first_read_cycles(stage, plan, caches()), 4 * 256 * 3.0);
}

TEST(EarlyLines, TheInnermostLoopHasNoTimeToFindThem) {
  const VectorStage stage = testing::pixels(16, 3136, 4);
  const VectorPlan plan = testing::tiles_of_pixels({0, 1, 2});  // 14 lines for each plane
  const auto lines = lines_to_ask_for(stage, plan, caches());
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].array, "W");
  EXPECT_DOUBLE_EQ(first_read_cycles(stage, plan, caches()), (16 * 3136 + 4 * 256) * 3.0);
}

/// Lanes along the rows of A: of each row of B, a turn reads 13 numbers.
TEST(EarlyLines, NumbersOfManyRowsOfMainMemoryAreWaitedForLong) {
  VectorPlan plan;
  plan.vector = 0;
  plan.held = {2, 13, 1};
  plan.written_out = {false, false, false};
  plan.outer = {1, 0};
  plan.in_registers = true;
  plan.panels = {{"A", 0}};
  CacheModel own = caches();
  own.second_bytes = 1 << 20;
  const auto waits = [&](std::int64_t columns) {
    return first_read_cycles(testing::product(32, columns, 4096), plan, own);
  };
  EXPECT_DOUBLE_EQ(waits(512), 512 * 4096 * 4 / 64 * 3.0);  // 8 MB
  EXPECT_DOUBLE_EQ(waits(1024), 1024 * 4096 * 4 / 64 * 35.0);
}

TEST(EarlyLines, TurnsUntilMemoryHasAnsweredAreNeitherFewNorMany) {
  EXPECT_EQ(turns_until_answered(12), 34);
  EXPECT_EQ(turns_until_answered(1000), 4);
  EXPECT_EQ(turns_until_answered(1), 64);
}

}  // namespace
}  // namespace solway::memory_planner
