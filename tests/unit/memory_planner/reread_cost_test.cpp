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

TEST(RereadCost, AnOperandBeyondTheCacheComesAgainInEachIteration) {
  const VectorStage stage = testing::product(4096, 256, 256);  // A has 4 MB of 1 MB, B 256 KB
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({1, 0})), 3 * 4194304.0 / 64 * 2.2);
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({0, 1})), 0);
}

TEST(RereadCost, WhatTheCacheHoldsComesFromThere) {
  const VectorStage stage = testing::product(96, 128, 64);
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({1, 0})), 0);
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({0, 1})), 0);
}

TEST(RereadCost, BlocksOfTheReductionReadOnlyTheirPart) {
  const VectorStage stage = testing::product(4096, 256, 256);
  VectorPlan plan = tiles({1, 0});
  plan.blocked = 2;
  plan.block = 64;  // of A 1 MB, 4 times; beside B's strip that does not fit
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 4 * 3 * 1048576.0 / 64 * 2.2);
  plan.block = 32;
  plan.held = {6, 16, 1};  // all columns in one tile
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 0);
}

TEST(RereadCost, RowsThatLieApartAreWaitedForOrCopied) {
  const CacheModel caches = caches_of(testing::vector_machine());
  VectorStage stage = testing::product(4096, 256, 256);
  VectorPlan plan = tiles({0, 1});
  EXPECT_FALSE(is_read_apart(stage, plan, stage.accesses[0], caches));
  DimModel& rows = stage.accesses[0].dims.at(0);  // every other row of 8191
  rows.terms.at(0).growth = 2;
  rows.extent = 8191;
  EXPECT_TRUE(is_read_apart(stage, plan, stage.accesses[0], caches));
  EXPECT_FALSE(is_read_apart(stage, plan, stage.accesses[1], caches));
  EXPECT_DOUBLE_EQ(wait_cycles(stage, plan, caches), 8191.0 * 256 * 4 / 64 * 15);
  EXPECT_DOUBLE_EQ(elements_of_tiles(stage, plan, stage.accesses[0]), 683.0 * 11 * 256);
  plan.panels = {{"A", -1, true}};
  EXPECT_DOUBLE_EQ(wait_cycles(stage, plan, caches), 0);
  plan.held = {1, 4, 1};  // one row at a time
  EXPECT_FALSE(is_read_apart(stage, plan, stage.accesses[0], caches));
}

TEST(RereadCost, NothingIsHeldWithoutVectorsOrSums) {
  VectorStage stage = testing::product(4096, 256, 256);
  VectorPlan plan = tiles({1, 0});
  plan.vector = -1;
  EXPECT_DOUBLE_EQ(rereads(stage, plan), 0);
  stage.is_update = false;
  EXPECT_DOUBLE_EQ(rereads(stage, tiles({1, 0})), 0);
}

TEST(RereadCost, ThePlanReadsTheLargerOperandOnce) {
  const auto outermost = [](const VectorStage& stage) {
    return plan_vectors(stage, testing::vector_machine(), 2).front().outer.front();
  };
  EXPECT_EQ(outermost(testing::product(8192, 128, 128)), 0);
  EXPECT_EQ(outermost(testing::product(128, 8192, 128)), 1);
}

}  // namespace
}  // namespace solway::memory_planner
