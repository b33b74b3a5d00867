#include "memory_planner/stage_model.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

TEST(StageModel, AFootprintIsABoxOfTheTile) {
  const StageModel conv = testing::convolution();
  // Two rows of outputs with all of ry: 4 * (2 - 1) + 11 rows of the image.
  EXPECT_EQ(footprint_elems(conv.tensors[0].dims[1], {1, 2, 1, 1, 11, 1}), 15);
  EXPECT_EQ(footprint_elems(conv.tensors[0].dims[1], {1, 1, 1, 1, 1, 1}), 1);
  EXPECT_EQ(footprint_elems(conv.tensors[0].dims[1], {1, 54, 1, 1, 11, 1}), 223);
}

TEST(StageModel, AFootprintIsNoMoreThanWhatTheStageTouches) {
  const DimModel halo{{{0, 1}}, 3, 8};
  EXPECT_EQ(footprint_elems(halo, {4}), 6);
  EXPECT_EQ(footprint_elems(halo, {7}), 8);
}

TEST(StageModel, BytesAreThoseOfTheWorkedExample) {
  const StageModel stage = testing::matmul(1, 1024, 1024);
  EXPECT_EQ(buffer_bytes(stage, {1, 64, 64}, 1), 16896);    // 16.5 KB
  EXPECT_EQ(buffer_bytes(stage, {1, 128, 64}, 1), 33536);   // 32.75 KB
  EXPECT_EQ(buffer_bytes(stage, {1, 128, 128}, 1), 66560);  // 65 KB
}

TEST(StageModel, EachBufferIsRoundedUpToTheAlignment) {
  const StageModel stage = testing::elementwise(10);
  EXPECT_EQ(buffer_bytes(stage, {3}, 1), 36);
  EXPECT_EQ(buffer_bytes(stage, {3}, 32), 96);
}

TEST(StageModel, TilesCoverALoopWithAPartialOneAtItsEnd) {
  const StageModel stage = testing::matmul(1, 100, 64);
  EXPECT_EQ(tile_count(stage, {1, 64, 64}, 1), 2);
  EXPECT_EQ(tile_count(stage, {1, 64, 64}, 2), 1);
}

TEST(StageModel, LoopsThatTheUserFixedStartAsTheyAre) {
  StageModel stage = testing::matmul(8, 16, 32);
  stage.loops[0].tiling = Tiling::Outside;
  stage.loops[1].tiling = Tiling::Inside;
  EXPECT_EQ(smallest_tiles(stage), (Tiles{1, 16, 1}));
}

TEST(StageModel, TwinsAreGroupsOfReferencesThatMoveAlike) {
  const TensorModel a = testing::matmul(1, 64, 64).tensors[0];
  EXPECT_FALSE(are_twins(a, a));  // a tensor of its own
  TensorModel first = a, second = a;
  first.references = {0};
  second.references = {1, 2};
  first.label = "A[x, k]";
  EXPECT_TRUE(are_twins(first, second));
  EXPECT_FALSE(are_twins(first, a));
  second.dims[0].begin = 8;  // whole rows of 256 bytes further
  EXPECT_TRUE(are_twins(first, second));
  second.dims[1].begin = 3;  // within a unit: where rows begin costs something
  EXPECT_FALSE(are_twins(first, second));
  second.dims[1].begin = 0;
  second.dims[0].base = 2;
  EXPECT_FALSE(are_twins(first, second));
  EXPECT_EQ(shown_name(a), "A");
  EXPECT_EQ(shown_name(first), "A[x, k]");
}

}  // namespace
}  // namespace solway::memory_planner
