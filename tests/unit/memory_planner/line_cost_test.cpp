#include "memory_planner/line_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

/// Windows of 3 x 3 of each channel by itself.
VectorStage windows(std::int64_t rows, std::int64_t columns) {
  return describe_stage(testing::each_channel(rows, columns, 3), "D", testing::vector_machine());
}

/// So many rows and pixels of each at a time.
VectorPlan tile(std::int64_t rows, std::int64_t pixels, bool written_out = true) {
  VectorPlan out;
  out.vector = 2;
  out.held = {rows, pixels, 1, 1, 1};
  out.written_out = {false, false, false, written_out, written_out};
  out.outer = {0, 1, 2};
  out.in_registers = true;
  return out;
}

CacheModel caches() { return caches_of(testing::vector_machine()); }

TEST(LineCost, ATileWithoutLoopsIsDoneAfterOneTurn) {
  const VectorStage stage = windows(64, 64);
  EXPECT_TRUE(is_one_turn(stage, tile(1, 4)));
  EXPECT_FALSE(is_one_turn(stage, tile(1, 4, false)));
}

TEST(LineCost, WindowsTakeFromBeyondTheCachesOnlyWhatNoTileBeforeHasRead) {
  const VectorStage stage = windows(1000, 1000);
  // 30 lines, about 8 of them new, and 9 of weights that stay in the first-level cache.
  const double found = cache_cycles(stage, tile(1, 8), caches());
  EXPECT_GT(found, 8 * kVectorFromThird);
  EXPECT_LT(found, 9 * kVectorFromThird + 22 * 0.5);
  // The same pixels in two rows: 24 lines.
  EXPECT_LT(cache_cycles(stage, tile(2, 4), caches()), found);
}

TEST(LineCost, ManyLinesAndRowsAtATimeWait) {
  const VectorStage large = windows(1000, 1000);
  const double few = burst_cycles(large, tile(1, 4), caches()) / 4;
  const double many = burst_cycles(large, tile(1, 28), caches()) / 28;
  EXPECT_GT(many, 2 * few);
  EXPECT_GT(burst_cycles(large, tile(4, 1), caches()), burst_cycles(large, tile(1, 4), caches()));
  EXPECT_EQ(burst_cycles(large, tile(1, 28, false), caches()), 0);     // one tap at a time
  EXPECT_EQ(burst_cycles(windows(14, 14), tile(1, 14), caches()), 0);  // near
  const auto rows_of = [](double part) {  // rows of 64 pixels that take a part of the cache
    const double bytes = part * static_cast<double>(caches().second_bytes);
    return static_cast<std::int64_t>(bytes / (66 * 16 * 4)) - 2;
  };
  EXPECT_EQ(burst_cycles(windows(rows_of(0.45), 64), tile(1, 14), caches()), 0);
  EXPECT_GT(burst_cycles(windows(rows_of(0.55), 64), tile(1, 14), caches()), 0);  // others share it
}

TEST(LineCost, LinesOfWhichATurnReadsAPart) {
  const VectorStage stage = testing::pixels(16, 3136, 64, testing::narrow_machine());
  VectorPlan plan;
  plan.vector = 2;
  plan.held = {1, 6, 1, 1, 1};
  plan.written_out.assign(5, false);
  plan.outer = {0, 1, 2};
  EXPECT_EQ(line_share(stage, plan, stage.accesses[1]), 2);  // 8 of 16 float32
  plan.held[2] = 2;
  EXPECT_EQ(line_share(stage, plan, stage.accesses[1]), 1);
}

}  // namespace
}  // namespace solway::memory_planner
