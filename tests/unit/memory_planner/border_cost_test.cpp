#include "memory_planner/border_cost.h"

#include <gtest/gtest.h>

#include "memory_planner/transfer_cost.h"

namespace solway::memory_planner {
namespace {

/// P[rc, x + rx] of an image of 64 columns, one at each side around it.
class BorderCostOfColumns : public ::testing::Test {
 protected:
  BorderCostOfColumns() {
    stage.name = "S";
    stage.loops = {{"x", 64, dsl::AxisKind::Spatial},
                   {"rc", 16, dsl::AxisKind::Reduce},
                   {"rx", 3, dsl::AxisKind::Reduce}};
    image.name = "P";
    image.dims = {{{{1, 1}}, 1, 16}, {{{0, 1}, {2, 1}}, 1, 66}};
    image.border = {0, 2};
    stage.tensors = {image};
  }
  BorderCost cost(const Tiles& tiles) const { return border_cost(stage, image, sizes, tiles); }
  TransferShape shape(const Tiles& tiles) const {
    return transfer_shape(image, sizes, tiles, {false, false, false}, 2);
  }

  StageModel stage;
  TensorModel image;
  std::vector<std::int64_t> sizes = {16, 66};
};

TEST_F(BorderCostOfColumns, RowsOfTheWholeImageAreAllCutOff) {
  const Tiles all = {64, 8, 3};
  EXPECT_EQ(cost(all).cut, 1);
  EXPECT_GT(cost(all).cycles, 8 * 2);  // two numbers of each row, at least
  EXPECT_EQ(shape(all).requests, 8);
  EXPECT_EQ(shape(all).block_bytes, 64 * 4);
}

TEST_F(BorderCostOfColumns, OfTilesThoseAtTheEndsAre) {
  EXPECT_DOUBLE_EQ(cost({16, 8, 3}).cut, 2.0 / 4);
  EXPECT_DOUBLE_EQ(cost({8, 8, 1}).cut, 2.0 / 24);  // one column of the windows at a time
  EXPECT_LT(cost({8, 8, 1}).cycles, cost({16, 8, 1}).cycles);
  EXPECT_EQ(shape({16, 8, 3}).requests, 1);
  EXPECT_EQ(shape({16, 8, 3}).block_bytes, 18 * 4);
}

TEST_F(BorderCostOfColumns, LinesOfTheBorderAreStoredWhole) {
  std::swap(image.dims[0], image.dims[1]);  // P[x + rx, rc]
  image.border = {2, 0};
  sizes = {66, 16};
  EXPECT_EQ(cost({16, 16, 3}).cut, 0);
  EXPECT_GT(cost({16, 16, 3}).cycles, cost({16, 8, 3}).cycles);
}

}  // namespace
}  // namespace solway::memory_planner
