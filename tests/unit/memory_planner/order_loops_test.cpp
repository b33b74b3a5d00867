#include "memory_planner/order_loops.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

using Loops = std::vector<int>;

const Tiles kWorkedTiles{1, 128, 64};  // x, y, k: 1 * 8 * 16 tiles

TEST(OrderLoops, TransfersOfTheWorkedExample) {
  const StageModel stage = testing::matmul(1, 1024, 1024);
  EXPECT_EQ(transfer_count(stage, kWorkedTiles, {}), 3 * 128);
  EXPECT_EQ(transfer_count(stage, kWorkedTiles, {0}), 256 + 128);  // x
  EXPECT_EQ(transfer_count(stage, kWorkedTiles, {1}), 256 + 16);   // y.o
  EXPECT_EQ(transfer_count(stage, kWorkedTiles, {2}), 256 + 8);    // k.o
}

TEST(OrderLoops, AfterTheFirstLoopTheWorkedExampleTies) {
  const StageModel stage = testing::matmul(1, 1024, 1024);
  EXPECT_EQ(transfer_count(stage, kWorkedTiles, {2, 0}), 256 + 8);
  EXPECT_EQ(transfer_count(stage, kWorkedTiles, {2, 1}), 256 + 8);
}

TEST(OrderLoops, WorkedExampleKeepsTheOriginalOrder) {
  StageModel stage = testing::matmul(2, 1024, 1024);
  EXPECT_EQ(order_loops(stage, kWorkedTiles, ReductionPlace::Anywhere), (Loops{0, 1, 2}));
  stage = testing::matmul(1, 1024, 1024);
  // x runs once, so that one tile covers it: it lies inside.
  EXPECT_EQ(order_loops(stage, kWorkedTiles, ReductionPlace::Anywhere), (Loops{1, 2}));
}

TEST(OrderLoops, SelectTakesTheFewestTransfersAndTheFirstOfATie) {
  const StageModel stage = testing::matmul(1, 1024, 1024);
  EXPECT_EQ(select_loop(stage, kWorkedTiles, {}, {0, 1, 2}), 2);
  EXPECT_EQ(select_loop(stage, {1, 64, 64}, {}, {1, 2}), 1);
  EXPECT_EQ(select_loop(stage, {1, 64, 64}, {}, {2, 1}), 2);
  EXPECT_EQ(select_loop(stage, kWorkedTiles, {}, {}), -1);
}

TEST(OrderLoops, TheLoopWithMoreReuseGoesInside) {
  // 64 blocks of y, 2 of k: what A holds serves more tiles than what C holds.
  const StageModel stage = testing::matmul(4, 4096, 128);
  EXPECT_EQ(order_loops(stage, {4, 64, 64}, ReductionPlace::Anywhere), (Loops{2, 1}));
  EXPECT_EQ(order_loops(stage, {4, 64, 64}, ReductionPlace::Innermost), (Loops{1, 2}));
}

TEST(OrderLoops, LoopsOfTheUserStayOutside) {
  StageModel stage = testing::matmul(4, 4096, 128);
  stage.loops[1].tiling = Tiling::Outside;
  // B serves four tiles of x, C two of k.
  EXPECT_EQ(order_loops(stage, {1, 1, 64}, ReductionPlace::Anywhere), (Loops{1, 2, 0}));
}

TEST(OrderLoops, NoLoopIsLeftWhenOneTileCoversAll) {
  EXPECT_TRUE(order_loops(testing::elementwise(8), Tiles{8}, ReductionPlace::Anywhere).empty());
}

}  // namespace
}  // namespace solway::memory_planner
