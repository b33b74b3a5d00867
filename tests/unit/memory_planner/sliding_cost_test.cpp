#include "memory_planner/sliding_cost.h"

#include <gtest/gtest.h>

#include "memory_planner/plan_cost.h"

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

/// B[y, x] from the rows y to y + 2 and the columns x to x + 2 of A, 1024 x 1024: columns on the
/// cores, and tiles of 4 rows.
class SlidingCost : public ::testing::Test {
 protected:
  SlidingCost() {
    stage.loops = {testing::spatial("y", 1024), testing::spatial("x", 1024)};
    stage.name = "B";
    const auto around = [&](int loop) {
      DimModel out = testing::dim(stage.loops, {{loop, 1}});
      out.base += 2;
      out.extent += 2;
      return out;
    };
    const auto own = [&](int loop) { return testing::dim(stage.loops, {{loop, 1}}); };
    stage.tensors.push_back({"A", 4, AccessDirection::Read, {around(0), around(1)}});
    stage.tensors.push_back({"B", 4, AccessDirection::Write, {own(0), own(1)}});
    body.lanes = 4;
    body.accesses = {5, 1};
    body.shapes = {{1026, 1026}, {1024, 1024}};
    plan.cuts = {{1024, 4, 1}, {16, 16, 1}};
    plan.parallel = {1};
    plan.grid = {64, 0};
    plan.outer = {0};
    plan.depths = {1, 1};
  }

  TensorCost cost(bool slides) {
    plan.slides = {slides, false};
    return tensor_cost({&stage, &body, &target, target.engine_or_null("ldm")}, plan, 0);
  }

  StageModel stage;
  Target target = load_target("sw26010", {});
  BodyModel body;
  NestPlan plan;
};

TEST_F(SlidingCost, TilesOverlapAlongTheInnermostLoopAroundTheBuffer) {
  const auto overlap = tile_overlap(stage, plan, 0);
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->loop, 0);
  EXPECT_EQ(overlap->dim, 0U);
  EXPECT_EQ(overlap->shared, 2);
  EXPECT_FALSE(tile_overlap(stage, plan, 1));  // what is written
  plan.cuts[1] = {16, 8, 1};
  plan.outer = {0, 1};
  EXPECT_EQ(tile_overlap(stage, plan, 0)->loop, 1);
  EXPECT_EQ(tile_overlap(stage, plan, 0)->dim, 1U);
  plan.outer = {};
  EXPECT_FALSE(tile_overlap(stage, plan, 0));
}

TEST_F(SlidingCost, NothingOverlapsWithoutAHalo) {
  stage.tensors[0].dims[0].base = 1;
  EXPECT_FALSE(tile_overlap(stage, plan, 0));
}

TEST_F(SlidingCost, WhatCoresReadTogetherDoesNotSlide) {
  plan.shared = {schedule::SharedBy::Row, schedule::SharedBy::Core};
  EXPECT_FALSE(tile_overlap(stage, plan, 0));
}

TEST_F(SlidingCost, OnlyTheFirstTileOfASeriesIsWhole) {
  const TensorCost whole = cost(false);
  const TensorCost kept = cost(true);
  const double tiles = 256;
  EXPECT_DOUBLE_EQ(kept.rounds, tiles);
  EXPECT_NEAR(kept.got / whole.got, (6 + (tiles - 1) * 4) / (6 * tiles), 1e-9);
  EXPECT_EQ(whole.exchanging, 0);
  // 2 lines of 18 elements: 4 vectors and 2 more.
  EXPECT_NEAR(kept.exchanging, (tiles - 1) * 2 * (4 + 4 * 3.4 + 2 * 2.5), 1e-6);
}

TEST_F(SlidingCost, RowsThatTheBorderCutsAreAskedForOnlyWhereTheyAreNew) {
  stage.tensors[0].border = {2, 2};
  body.shapes[0] = {1024, 1024};
  const double tiles = 256;
  EXPECT_DOUBLE_EQ(cost(false).rows, 6);
  EXPECT_NEAR(cost(true).rows, (6 + (tiles - 1) * 4) / tiles, 1e-9);
}

TEST_F(SlidingCost, ColumnsAreMovedOneByOne) {
  const TileOverlap along_columns{1, 1, 2};
  EXPECT_NEAR(slide_cycles(stage.tensors[0], along_columns, tiles_of(plan), target),
              6 * (4 + 2 * 2.5), 1e-9);
}

}  // namespace
}  // namespace solway::memory_planner
