#include "memory_planner/reread_cost.h"

#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

/// C[i, j] += A[i, k] * B[k, j] in tiles of 6 rows and 4 vectors.
VectorPlan tiles(std::vector<int> outer) {
  VectorPlan out;
  out.vector = 1;
  out.held = {6, 4, 1};
  out.written_out = {false, false, false};
  out.outer = std::move(outer);
  out.in_registers = true;
  return out;
}

double rereads(const VectorStage& stage, const VectorPlan& plan) {
  return reread_cycles(stage, plan, caches_of(testing::vector_machine()));
}

/// Every other row of A is read.
VectorStage with_stride(std::int64_t m, std::int64_t n, std::int64_t depth) {
  VectorStage out = testing::product(m, n, depth);
  DimModel& rows = out.accesses[0].dims.at(0);
  rows.terms.at(0).growth = 2;
  rows.extent = 2 * m - 1;
  return out;
}

TEST(RereadCost, AnOperandBeyondTheCacheComesAgainInEachIteration) {
  const VectorStage stage = testing::product(256, 4096, 256);  // B has 4 MB of 1 MB, A 256 KB
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({0, 1})), 42 * 4194304.0 / 64 * 2.2);
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({1, 0})), 0);
}

TEST(RereadCost, SpreadNumbersCountWhereTheyLieApart) {
  EXPECT_DOUBLE_EQ(rereads(testing::product(4096, 256, 256), tiles({1, 0})), 0);
  EXPECT_DOUBLE_EQ(rereads(with_stride(4096, 256, 256), tiles({1, 0})),
                   3 * 8191.0 * 256 * 4 / 64 * 2.2);
  EXPECT_DOUBLE_EQ(rereads(with_stride(4096, 256, 256), tiles({0, 1})), 0);
}

/// C[i, j] += A[k, i] * B[k, j]: each term is of another row of A, which columns of tiles read
/// again.
TEST(RereadCost, ManyRowsAreWaitedForLineByLine) {
  VectorStage stage = testing::product(1024, 1024, 512);
  stage.accesses[0].steps = {1, 0, 1024};
  const CacheModel caches = caches_of(testing::vector_machine());
  VectorPlan plan = tiles({1, 0});
  EXPECT_TRUE(reads_many_rows(stage, plan, stage.accesses[0], caches));
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 15 * 1024.0 * 512 * 4 / 64 * 25);
  plan.panels = {{"A", -1, false, {}, false, true}};
  EXPECT_FALSE(reads_many_rows(stage, plan, stage.accesses[0], caches));
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 0);
  stage.accesses[0].steps = {512, 0, 1};  // neighbours
  EXPECT_FALSE(reads_many_rows(stage, tiles({1, 0}), stage.accesses[0], caches));
  VectorStage small = testing::product(512, 1024, 512);
  small.accesses[0].steps = {1, 0, 512};
  EXPECT_FALSE(reads_many_rows(small, tiles({1, 0}), small.accesses[0], caches));
}

TEST(RereadCost, PiecesOfPagesComeAgainLineByLine) {
  const VectorStage stage = testing::product(256, 4096, 256);
  VectorPlan plan = tiles({0, 1});
  plan.held = {12, 2, 1};  // 128 bytes of each row of B
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 21 * 4194304.0 / 64 * 25);
  plan.panels = {{"B", -1}};
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 21 * 4194304.0 / 64 * 2.2);
}

TEST(RereadCost, WhatTheCacheHoldsComesFromThere) {
  const VectorStage stage = testing::product(96, 128, 64);
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({1, 0})), 0);
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({0, 1})), 0);
}

TEST(RereadCost, BlocksOfTheReductionReadOnlyTheirPart) {
  const VectorStage stage = testing::product(256, 4096, 256);
  VectorPlan plan = tiles({0, 1});
  plan.blocked = 2;
  plan.block = 128;  // of B 2 MB, twice
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 2 * 42 * 2097152.0 / 64 * 2.2);
  plan.block = 32;  // 512 KB
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 0);
}

TEST(RereadCost, RowsThatLieApartAreWaitedForOrCopied) {
  const CacheModel caches = caches_of(testing::vector_machine());
  VectorPlan plan = tiles({0, 1});
  const VectorStage in_order = testing::product(4096, 256, 256);
  EXPECT_FALSE(is_read_apart(in_order, plan, in_order.accesses[0], caches));
  const VectorStage stage = with_stride(4096, 256, 256);
  EXPECT_TRUE(is_read_apart(stage, plan, stage.accesses[0], caches));
  EXPECT_FALSE(is_read_apart(stage, plan, stage.accesses[1], caches));
  EXPECT_DOUBLE_EQ(wait_cycles(stage, plan, caches), 8191.0 * 256 * 4 / 64 * 15);
  EXPECT_DOUBLE_EQ(elements_of_tiles(stage, plan, stage.accesses[0]), 683.0 * 11 * 256);
  plan.panels = {{"A", -1, true}};
  EXPECT_DOUBLE_EQ(wait_cycles(stage, plan, caches), 0);
  plan.held = {1, 4, 1};  // one row at a time
  EXPECT_FALSE(is_read_apart(stage, plan, stage.accesses[0], caches));
}

TEST(RereadCost, AnImageOfManyPlanesComesAgainOrResultsLieElsewhere) {
  const CacheModel caches = caches_of(testing::vector_machine());
  const VectorStage stage = testing::pixels(16, 3136, 4);  // X has 3.2 MB
  const VectorPlan filters_outside = testing::tiles_of_pixels({0, 1, 2});
  const VectorPlan filters_inside = testing::tiles_of_pixels({1, 0, 2});
  EXPECT_DOUBLE_EQ(order_cycles(stage, filters_outside, caches), 16.0 * 3136 * 8);
  EXPECT_DOUBLE_EQ(order_cycles(stage, filters_inside, caches), 4.0 * 3136 * 8);
  EXPECT_DOUBLE_EQ(reread_cycles(stage, filters_outside, caches), 0);
  VectorPlan copied = filters_outside;
  copied.panels = {{"X", -1, true}};
  EXPECT_DOUBLE_EQ(order_cycles(stage, copied, caches), 0);
  EXPECT_DOUBLE_EQ(order_cycles(testing::pixels(16, 196, 4), filters_outside, caches), 0);
  // Rows that are read whole lie in order.
  EXPECT_DOUBLE_EQ(order_cycles(testing::product(4096, 256, 1024), tiles({1, 0}), caches), 0);
}

TEST(RereadCost, ThePlanTakesTheOrderThatComesAgainForLess) {
  const auto outermost = [](const VectorStage& stage) {
    return plan_vectors(stage, testing::vector_machine(), 2).front().outer.front();
  };
  EXPECT_EQ(outermost(testing::pixels(16, 3136, 4)), 1);
  EXPECT_EQ(outermost(testing::pixels(2, 3136, 64)), 0);  // results are 32 times what is read
}

TEST(RereadCost, StretchesAreReadOnceFromBeyondTheCache) {
  const CacheModel caches = caches_of(testing::vector_machine());
  const VectorPlan plan = testing::tiles_of_pixels({1, 0, 2});
  const VectorStage stage = testing::pixels(16, 3136, 4);
  EXPECT_TRUE(is_read_once_in_stretches(stage, plan, stage.accesses[0], caches));
  EXPECT_FALSE(is_read_once_in_stretches(stage, plan, stage.accesses[1], caches));
  const VectorStage small = testing::pixels(16, 784, 4);
  EXPECT_FALSE(is_read_once_in_stretches(small, plan, small.accesses[0], caches));
  const VectorStage rows = testing::product(4096, 256, 1024);
  EXPECT_FALSE(is_read_once_in_stretches(rows, tiles({0, 1}), rows.accesses[0], caches));
}

TEST(RereadCost, NothingIsHeldWithoutVectorsOrSums) {
  VectorStage stage = testing::product(4096, 256, 256);
  VectorPlan plan = tiles({1, 0});
  plan.vector = -1;
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 0);
  stage.is_update = false;
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({1, 0})), 0);
}

TEST(RereadCost, ThePlanReadsOnceWhatIsReadApart) {
  const auto outermost = [](const VectorStage& stage) {
    return plan_vectors(stage, testing::vector_machine(), 2).front().outer.front();
  };
  EXPECT_EQ(outermost(with_stride(8192, 128, 128)), 0);
  EXPECT_EQ(outermost(testing::product(8192, 128, 128)), 1);
  EXPECT_EQ(outermost(testing::product(128, 8192, 128)), 1);
}

}  // namespace
}  // namespace solway::memory_planner
