#include "memory_planner/greedy_planner.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

using Loops = std::vector<int>;
constexpr Room kLdm{65536, 32};

TEST(GreedyPlanner, WorkedExampleOfThePaper) {
  const StagePlan plan = plan_greedily(testing::matmul(1, 1024, 1024), kLdm, 64);
  EXPECT_EQ(plan.choice.tiles, (Tiles{1, 128, 64}));
  EXPECT_EQ(plan.outer, (Loops{1, 2}));
  EXPECT_EQ(plan.inner, (Loops{0}));
  EXPECT_EQ(plan.parallel, 1);
}

TEST(GreedyPlanner, FigureFourGivesEachCoreSixteen) {
  const StagePlan plan = plan_greedily(testing::elementwise(1024), kLdm, 64);
  EXPECT_EQ(plan.choice.tiles, (Tiles{16}));
  EXPECT_EQ(plan.parallel, 0);
}

TEST(GreedyPlanner, LargeTilesStayWhereThereAreEnough) {
  const StagePlan plan = plan_greedily(testing::elementwise(1 << 20), kLdm, 64);
  EXPECT_EQ(plan.choice.tiles, (Tiles{4096}));
}

TEST(GreedyPlanner, OneCoreTakesAllOfWhatFits) {
  for (const int cores : {0, 1}) {
    const StagePlan plan = plan_greedily(testing::elementwise(1024), kLdm, cores);
    EXPECT_EQ(plan.choice.tiles, (Tiles{1024}));
    EXPECT_EQ(plan.parallel, -1);
    EXPECT_EQ(plan.inner, (Loops{0}));
  }
}

TEST(GreedyPlanner, AStageThatFitsWholeIsCutAlongItsLongestDimension) {
  const StagePlan plan = plan_greedily(testing::matmul(64, 32, 32), kLdm, 64);
  EXPECT_EQ(plan.choice.tiles, (Tiles{1, 32, 32}));
  EXPECT_EQ(plan.parallel, 0);
}

TEST(GreedyPlanner, TheDimensionWithMoreTilesRunsOnTheCores) {
  const StagePlan plan = plan_greedily(testing::matmul(4, 4096, 128), kLdm, 64);
  EXPECT_EQ(plan.parallel, 1);
  EXPECT_EQ(plan.outer.front(), 1);
}

TEST(GreedyPlanner, ShortDimensionsAreNotCutFurther) {
  const StagePlan plan = plan_greedily(testing::matmul(16, 4, 8), kLdm, 64);
  EXPECT_EQ(plan.choice.tiles, (Tiles{1, 4, 8}));
  EXPECT_EQ(plan.parallel, 0);
}

TEST(GreedyPlanner, ConvolutionSharesItsChannels) {
  const StagePlan plan = plan_greedily(testing::convolution(), kLdm, 64);
  EXPECT_EQ(plan.parallel, 0);  // ff
  EXPECT_EQ(plan.outer.front(), 0);
}

TEST(GreedyPlanner, PartialSumsCountAsLoadAndStore) {
  const StageModel stage = testing::matmul(1, 1024, 1024);
  const Tiles tiles{1, 128, 64};
  const std::int64_t operands = 128 * (64 * 128 * 4) + 128 * (64 * 4);
  EXPECT_EQ(moved_bytes(stage, tiles, {1, 2}), operands + 8 * (128 * 4));
  // y.o inside k.o: A is loaded once per k.o, C loaded and stored 16 times.
  EXPECT_EQ(moved_bytes(stage, tiles, {2, 1}),
            128 * (64 * 128 * 4) + 16 * (64 * 4) + 2 * 128 * (128 * 4));
}

TEST(GreedyPlanner, AParallelLoopOfTheUserIsTheOnlyOne) {
  StageModel stage = testing::matmul(8, 1024, 1024);
  stage.loops[0].tiling = Tiling::Outside;
  stage.loops[0].is_parallel = true;
  const StagePlan plan = plan_greedily(stage, kLdm, 64);
  EXPECT_EQ(plan.parallel, -1);
  EXPECT_EQ(plan.outer.front(), 0);
  EXPECT_EQ(plan.choice.tiles[0], 1);
}

TEST(GreedyPlanner, SaysWhenNothingFits) {
  EXPECT_FALSE(plan_greedily(testing::matmul(4, 4, 4), {16, 32}, 64).choice.fits);
}

}  // namespace
}  // namespace solway::memory_planner
