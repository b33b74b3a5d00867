#include "memory_planner/micro_kernel_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

TEST(MicroKernelCost, OnlyCoresWithAnAssemblerHaveThem) {
  EXPECT_TRUE(has_micro_kernels(load_target("sw26010", {})));
  EXPECT_FALSE(has_micro_kernels(load_target("sw26010pro", {})));
  Target unaligned = load_target("sw26010", {});
  for (Memory& memory : unaligned.memories) memory.alignment_bytes = 16;
  EXPECT_FALSE(has_micro_kernels(unaligned));
}

// By the emulator's clock: docs/vector_code.md has 96 % of the peak for this tile.
TEST(MicroKernelCost, FullTilesTakeACycleForEachVectorOfProducts) {
  const double products = 64 * 64 / 4 * 64;
  EXPECT_GT(products / micro_kernel_cycles(64, 64, 64), 0.95);
  EXPECT_LT(products / micro_kernel_cycles(64, 64, 64), 0.98);
}

TEST(MicroKernelCost, FewRowsWaitForTheirSums) {
  EXPECT_NEAR(micro_kernel_cycles(1, 64, 64), 4 * 64 * 7, 100);
  EXPECT_NEAR(micro_kernel_cycles(4, 4, 64), 64 * 7, 40);
}

TEST(MicroKernelCost, NineRowsAreThreeTilesOfThree) {
  const double three = micro_kernel_cycles(3, 16, 100);
  EXPECT_NEAR(micro_kernel_cycles(9, 16, 100), 3 * three, 50);
}

TEST(MicroKernelCost, RoundsLoadAndStoreTheSumsOnce) {
  const double one = micro_kernel_cycles(8, 32, 16);
  const double nine = micro_kernel_cycles(8, 32, 16, {3, 3});
  EXPECT_LT(nine, 9 * one);
  EXPECT_GT(nine, 9 * 8 * 32 / 4 * 16);
  EXPECT_NEAR(nine, micro_kernel_cycles(8, 32, 9 * 16), 1);  // inside of each step
}

TEST(MicroKernelCost, RoundsAroundAllStepsHaveAnEndEach) {
  const double apart = micro_kernel_cycles(8, 32, 16, {11, 11});
  EXPECT_NEAR(apart, micro_kernel_cycles(8, 32, 121 * 16) + 10 * 4 * 12, 1);  // 4 tiles
}

TEST(MicroKernelCost, NarrowTilesHaveMoreRows) {
  const double products = 56 * 8 / 4 * 64;
  EXPECT_GT(products / micro_kernel_cycles(56, 8, 64), 0.93);
}

class Fits : public ::testing::Test {
 protected:
  Fits() {
    plan.cuts = {{64, 32, 1}, {64, 32, 1}, {512, 64, 1}};
    plan.parallel = {0, 1};
    plan.grid = {8, 8};
    plan.outer = {0, 1, 2};
    plan.depths = {1, 1, 1};
    plan.micro_kernel = ProductForm{0, 1, 2, 2, 0, 1};
  }
  bool fits() const { return fits_micro_kernel(stage, plan, *plan.micro_kernel); }

  StageModel stage = testing::matmul(512, 512, 512);
  NestPlan plan;
};

TEST_F(Fits, WholeTilesOfWholeVectors) { EXPECT_TRUE(fits()); }

TEST_F(Fits, NotASmallerLastTile) {
  plan.cuts[0].tile = 24;
  EXPECT_FALSE(fits());
}

TEST_F(Fits, NotPartsOfTwoSizes) {
  plan.cuts[0] = {60, 30, 1};
  EXPECT_FALSE(fits());
}

TEST_F(Fits, NotColumnsThatFillNoVector) {
  plan.cuts[1].tile = 2;
  EXPECT_FALSE(fits());
}

TEST_F(Fits, NotRowsFurtherApartThanAnInstructionReaches) {
  stage = testing::matmul(64, 64, 4096);
  plan.parallel = {};
  plan.cuts = {{64, 4, 1}, {64, 4, 1}, {4096, 2048, 1}};
  EXPECT_FALSE(fits());  // four rows of A are 32768 bytes
  plan.cuts[2].tile = 1024;
  EXPECT_TRUE(fits());
}

TEST_F(Fits, NotRoundsFurtherApartThanAnInstructionReaches) {
  stage = testing::window_with_filters_last(32, 32, 64);
  plan = {};
  plan.cuts = {{32, 32, 1}, {32, 1, 1}, {32, 32, 1}, {64, 16, 1}, {3, 3, 1}, {3, 3, 1}};
  plan.depths = {1, 1, 1};
  plan.micro_kernel = ProductForm{2, 0, 3, 2, 0, 1, {4, 5}};
  EXPECT_TRUE(fits());
  plan.micro_kernel = ProductForm{2, 0, 4, 2, 0, 1, {5, 3}};  // channels innermost of the rounds
  EXPECT_TRUE(fits());
  plan.cuts[3].tile = 64;  // from one column to the next: back over 64 channels
  EXPECT_FALSE(fits());
}

TEST_F(Fits, ComputingIsItsCallsAndTheZeros) {
  const Target target = load_target("sw26010", {});
  const double calls = 2 * 2 * 8;
  const double zeros = 64 * 2 * (32 * 0.5 + target.timing->library_call_cycles);
  EXPECT_DOUBLE_EQ(compute_by_micro_kernel(stage, plan, target),
                   calls * micro_kernel_cycles(32, 32, 64) + zeros);
}

}  // namespace
}  // namespace solway::memory_planner
