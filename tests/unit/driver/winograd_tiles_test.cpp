#include "driver/winograd_tiles.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;

/// Of a convolution of so many channels and filters, 32 in a panel of two vectors.
WinogradPlane plane_of(std::int64_t tiles, int points, std::int64_t channels,
                       std::int64_t filters) {
  WinogradPlane out;
  out.rows = out.columns = tiles;
  out.channels = channels;
  out.panels = filters / 32;
  out.image_bytes = points * channels * 4;
  out.weight_bytes = points * channels * filters * 4;
  out.product_bytes = points * std::int64_t{32} * 4;
  out.vectors = 2;
  return out;
}

TEST(WinogradTiles, BlocksFitTheCacheAndSumsTheRegisters) {
  const Target target = vector_machine();
  const WinogradPlane plane = plane_of(14, 36, 64, 64);
  const WinogradTiles small = winograd_tiles(plane, target);
  EXPECT_EQ(small.columns, 14);
  EXPECT_EQ(14 % small.rows, 0);
  EXPECT_LE(small.rows * small.columns * plane.product_bytes, 524288);
  EXPECT_LE(small.held_rows * small.held_columns * 2 + 2 + 2, target.vector->registers);
}

TEST(WinogradTiles, WeightsThatNoCacheHoldsAreLoadedForManyTiles) {
  WinogradPlane plane = plane_of(7, 36, 512, 512);
  const WinogradTiles large = winograd_tiles(plane, vector_machine());
  EXPECT_EQ(large.rows * large.columns, 49);
  EXPECT_TRUE(large.asks_early);
  plane.product_bytes = std::int64_t{1} << 40;
  const WinogradTiles one = winograd_tiles(plane, vector_machine());
  EXPECT_EQ(one.rows * one.columns, 1);
  EXPECT_FALSE(one.asks_early);  // each number is used once
}

TEST(WinogradTiles, AnImageThatNoCacheHoldsIsReadForSeveralPanels) {
  EXPECT_GT(winograd_tiles(plane_of(7, 16, 512, 512), vector_machine()).panels, 1);
  EXPECT_EQ(winograd_tiles(plane_of(7, 16, 512, 32), vector_machine()).panels, 1);
}

TEST(WinogradTiles, PartsInRegistersNeedNotDivideABlock) {
  // 7 x 7 tiles in parts of 2 x 7: four parts, where divisors would give seven.
  const WinogradTiles tiles = winograd_tiles(plane_of(7, 16, 512, 512), vector_machine());
  EXPECT_EQ(tiles.held_rows * tiles.held_columns, 14);
}

TEST(WinogradTiles, NearWeightsAreNotAskedFor) {
  EXPECT_FALSE(winograd_tiles(plane_of(7, 16, 64, 64), vector_machine()).asks_early);
}

TEST(WinogradTiles, MachinesWithoutLineRequestsAreNotAsked) {
  Target riscv = vector_machine();
  riscv.foreign = ForeignMachine{};
  riscv.foreign->triple = "riscv64-linux-gnu";
  EXPECT_FALSE(winograd_tiles(plane_of(7, 16, 512, 512), riscv).asks_early);
  EXPECT_TRUE(winograd_tiles(plane_of(7, 16, 512, 512), vector_machine()).asks_early);
}

}  // namespace
}  // namespace solway::driver
