#include "memory_planner/nest_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

NestPlan plan() {
  NestPlan out;
  out.cuts = {{64, 32, 4}, {128, 64, 16}, {256, 32, 1}};
  out.depths = {2, 1, 0};
  return out;
}

TEST(NestPlan, TilesAreWhatTheBuffersServe) { EXPECT_EQ(tiles_of(plan()), (Tiles{32, 64, 32})); }

TEST(NestPlan, BytesCountDepthsAndLeaveOutWhatIsNotStaged) {
  const StageModel stage = testing::matmul(64, 128, 256);
  EXPECT_EQ(buffer_bytes(stage, plan(), 32), 2 * 32 * 32 * 4 + 32 * 64 * 4);
}

/// Tiles of 4 filters, 2 x 8 elements and 8 channels; the columns of the window around them.
NestPlan windows_apart() {
  NestPlan out;
  out.cuts = {{16, 4, 1}, {32, 2, 1}, {32, 8, 1}, {8, 8, 1}, {3, 3, 1}, {3, 1, 1}};
  out.outer = {0, 1, 2, 5};
  out.depths = {1, 1, 1};
  out.micro_kernel = ProductForm{0, 2, 3, 2, 1, 0, {4}, {5}};
  return out;
}

TEST(NestPlan, WhatIsMultipliedWithAWindowIsServedWhole) {
  const NestPlan plan = windows_apart();
  EXPECT_EQ(tiles_of(plan, 0), (Tiles{4, 2, 8, 8, 3, 1}));  // the image: one column
  EXPECT_EQ(tiles_of(plan, 1), (Tiles{4, 2, 8, 8, 3, 3}));  // the numbers: all columns
  EXPECT_TRUE(is_around_windows(plan, 1, 5));
  EXPECT_FALSE(is_around_windows(plan, 0, 5));
  EXPECT_FALSE(is_around_windows(plan, 1, 0));
  const StageModel stage = testing::window(16, 32, 8);
  EXPECT_EQ(buffer_bytes(stage, plan, 4), 4 * (8 * 4 * 8 + 4 * 8 * 9 + 4 * 2 * 8));
}

TEST(NestPlan, BytesAreAligned) {
  const StageModel stage = testing::elementwise(100);
  NestPlan small;
  small.cuts = {{100, 3, 1}};
  small.depths = {1, 1, 2};  // 12, 12 and 24 bytes
  EXPECT_EQ(buffer_bytes(stage, small, 32), 96);
}

TEST(NestPlan, ATensorDependsOnTheLoopsOfItsIndices) {
  const StageModel stage = testing::matmul(64, 128, 256);
  EXPECT_TRUE(depends(stage.tensors[0], 0));
  EXPECT_FALSE(depends(stage.tensors[0], 1));
  EXPECT_TRUE(depends(stage.tensors[0], 2));
}

TEST(NestPlan, WindowsThatSlideOverHeldResultsStandAroundTheLongestLoop) {
  const StageModel stage = testing::window_with_filters_last(16, 32, 8);  // f, y, x, c, ry, rx
  NestPlan plan;
  plan.cuts = {{16, 16, 8}, {32, 2, 1}, {32, 8, 4}, {8, 8, 1}, {3, 3, 1}, {3, 3, 1}};
  plan.vector = 0;
  EXPECT_EQ(reduction_order(stage, plan), (std::vector<int>{5, 4, 3}));
  plan.cuts[1].held = 2;  // rows of the window slide, too
  EXPECT_EQ(reduction_order(stage, plan), (std::vector<int>{4, 5, 3}));
  plan.cuts[3].tile = 2;
  plan.cuts[1].held = 1;
  EXPECT_EQ(reduction_order(stage, plan), (std::vector<int>{5, 3, 4}));
}

TEST(NestPlan, OtherReductionsKeepTheirOrder) {
  const std::vector<int> as_written{3, 4, 5};
  NestPlan plan;
  plan.cuts = {{16, 16, 8}, {32, 2, 1}, {32, 8, 1}, {8, 8, 1}, {3, 3, 1}, {3, 3, 1}};
  plan.vector = 0;
  const StageModel stage = testing::window_with_filters_last(16, 32, 8);
  EXPECT_EQ(reduction_order(stage, plan), as_written);  // registers hold one pixel
  plan.cuts[2].held = 4;
  plan.vector = -1;  // numbers are not spread
  EXPECT_EQ(reduction_order(stage, plan), as_written);
  plan.vector = 2;  // neighbours are lanes
  EXPECT_EQ(reduction_order(testing::window(16, 32, 8), plan), as_written);
  plan.cuts = {{64, 64, 8}, {54, 2, 1}, {54, 6, 2}, {3, 3, 1}, {11, 11, 1}, {11, 11, 1}};
  plan.vector = 0;  // results are four steps of the window apart
  EXPECT_EQ(reduction_order(testing::convolution(), plan), as_written);
}

}  // namespace
}  // namespace solway::memory_planner
