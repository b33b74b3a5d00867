#include "memory_planner/choose_tiles.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

constexpr Room kLdm{65536, 1};

void expect_trial(const TileTrial& trial, int loop, std::int64_t tile, std::int64_t bytes,
                  bool fits) {
  EXPECT_EQ(trial.loop, loop);
  EXPECT_EQ(trial.tile, tile);
  EXPECT_EQ(trial.bytes, bytes);
  EXPECT_EQ(trial.fits, fits);
}

TEST(ChooseTiles, WorkedExampleOfThePaperStepByStep) {
  const TileChoice choice = choose_tiles(testing::matmul(1, 1024, 1024), kLdm);
  ASSERT_EQ(choice.trials.size(), 4U);
  expect_trial(choice.trials[0], 1, 64, 64 * 4 + 64 * 4 + 4, true);  // y, k still 1
  expect_trial(choice.trials[1], 2, 64, 16896, true);                // k: 16.5 KB
  expect_trial(choice.trials[2], 1, 128, 33536, true);               // y: 32.75 KB
  expect_trial(choice.trials[3], 2, 128, 66560, false);              // k: 65 KB
  EXPECT_EQ(choice.tiles, (Tiles{1, 128, 64}));
  EXPECT_EQ(choice.bytes, 33536);
  EXPECT_TRUE(choice.fits);
}

TEST(ChooseTiles, ElementwiseGrowsUntilTheNextDoublingDoesNotFit) {
  const TileChoice choice = choose_tiles(testing::elementwise(1 << 20), kLdm);
  EXPECT_EQ(choice.tiles, (Tiles{4096}));  // 3 buffers of 16 KB; 8192 would be 96 KB
  EXPECT_EQ(choice.bytes, 49152);
}

TEST(ChooseTiles, WhatFitsWholeIsTakenWhole) {
  EXPECT_EQ(choose_tiles(testing::elementwise(1024), kLdm).tiles, (Tiles{1024}));
  EXPECT_EQ(choose_tiles(testing::elementwise(1000), kLdm).tiles, (Tiles{1000}));
  EXPECT_EQ(choose_tiles(testing::matmul(8, 16, 32), kLdm).tiles, (Tiles{8, 16, 32}));
}

TEST(ChooseTiles, ARangeOf64IsWhole) {
  // With y whole, C grows along x, and B along k.
  const TileChoice choice = choose_tiles(testing::matmul(4, 64, 64), kLdm);
  EXPECT_EQ(choice.tiles, (Tiles{4, 64, 64}));
}

TEST(ChooseTiles, ShrinksTheLoopThatDoesNotFit) {
  const Room small{4096, 1};
  const TileChoice choice = choose_tiles(testing::matmul(1, 1024, 1024), small);
  EXPECT_TRUE(choice.fits);
  EXPECT_LE(choice.bytes, small.capacity_bytes);
  EXPECT_EQ(choice.tiles[1], 64);
  EXPECT_EQ(choice.tiles[2], 8);  // 8 * 64 * 4 = 2048, 16 would be 4096 and A, C beside
}

TEST(ChooseTiles, StepsBackToTheLoopBefore) {
  // y = 64 and k = 1 take 64*4 + 4 + 64*4 = 516 bytes: y fits alone, with no byte to spare.
  const TileChoice tight = choose_tiles(testing::matmul(1, 1024, 1024), Room{516, 1});
  EXPECT_EQ(tight.tiles, (Tiles{1, 64, 1}));
  const TileChoice tighter = choose_tiles(testing::matmul(1, 1024, 1024), Room{515, 1});
  EXPECT_LT(tighter.tiles[1], 64);
  EXPECT_LE(tighter.bytes, 515);
}

TEST(ChooseTiles, SaysWhenNotEvenOneIterationFits) {
  const TileChoice choice = choose_tiles(testing::matmul(1, 16, 16), Room{8, 1});
  EXPECT_FALSE(choice.fits);
  EXPECT_EQ(choice.bytes, 12);
  EXPECT_TRUE(choice.trials.empty());
}

TEST(ChooseTiles, ConvolutionGrowsFromTheContiguousDimensionUpwards) {
  const StageModel stage = testing::convolution();
  const TileChoice choice = choose_tiles(stage, kLdm);
  EXPECT_TRUE(choice.fits);
  EXPECT_LE(choice.bytes, 65536);
  EXPECT_EQ(choice.tiles[2], 54);  // xx
  EXPECT_EQ(choice.tiles[5], 11);  // rx
  EXPECT_EQ(choice.tiles[4], 11);  // ry
  EXPECT_EQ(choice.bytes, buffer_bytes(stage, choice.tiles, 1));
}

TEST(ChooseTiles, SevenLoopsFit) {
  const StageModel stage = testing::batched_convolution();
  const TileChoice choice = choose_tiles(stage, kLdm);
  EXPECT_TRUE(choice.fits);
  EXPECT_LE(choice.bytes, 65536);
  EXPECT_EQ(choice.tiles[3], 54);
  EXPECT_EQ(choice.tiles[6], 11);
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    EXPECT_GE(choice.tiles[k], 1);
    EXPECT_LE(choice.tiles[k], stage.loops[k].extent);
  }
}

TEST(ChooseTiles, TilesOfTheUserAreKept) {
  StageModel stage = testing::matmul(4, 1024, 1024);
  stage.loops[0].tiling = Tiling::Inside;
  stage.loops[1].tiling = Tiling::Outside;
  const TileChoice choice = choose_tiles(stage, kLdm);
  EXPECT_EQ(choice.tiles[0], 4);
  EXPECT_EQ(choice.tiles[1], 1);
}

TEST(ChooseTiles, NeverExceedsTheRoom) {
  for (std::int64_t capacity = 12; capacity <= 4000; capacity += 7) {
    for (const std::int64_t n : {1, 7, 64, 65, 200}) {
      const TileChoice choice = choose_tiles(testing::matmul(3, n, 50), Room{capacity, 4});
      EXPECT_TRUE(choice.fits);
      EXPECT_LE(choice.bytes, capacity);
    }
  }
}

}  // namespace
}  // namespace solway::memory_planner
