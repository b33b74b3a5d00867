#include "emulator/worker/dma_rate.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr std::uint64_t kTransaction = 128;

/// 128 bytes take 10 cycles, 256 take 14, 512 take 22; puts twice as long.
DmaRate rate() {
  return {{{32, 3.2, 1.6},
           {128, 12.8, 6.4},
           {256, 256 / 14.0, 256 / 28.0},
           {512, 512 / 22.0, 512 / 44.0}},
          kTransaction};
}

double cycles(std::uint64_t address, std::uint64_t block, std::int64_t pitch = 0,
              std::uint64_t blocks = 1, DmaDirection direction = DmaDirection::Get) {
  return rate().cycles({direction, address, block, pitch, blocks});
}

TEST(DmaRate, PointsAreMet) {
  EXPECT_DOUBLE_EQ(cycles(0, 128), 10);
  EXPECT_DOUBLE_EQ(cycles(0, 512), 22);
  EXPECT_DOUBLE_EQ(cycles(0, 128, 0, 1, DmaDirection::Put), 20);
}

TEST(DmaRate, LinesLieBetweenPointsAndBeyondTheLast) {
  EXPECT_DOUBLE_EQ(cycles(0, 384), 18);
  EXPECT_DOUBLE_EQ(cycles(0, 1024), 38);
  EXPECT_DOUBLE_EQ(cycles(0, 4), 10);  // no block is moved in less time than the smallest
}

TEST(DmaRate, ABlockAcrossTransactionsTakesAsLongAsAllOfThem) {
  EXPECT_DOUBLE_EQ(cycles(64, 128), 14);
  EXPECT_DOUBLE_EQ(cycles(64, 64), 10);
  EXPECT_DOUBLE_EQ(cycles(64, 68), 14);
}

TEST(DmaRate, BlocksAddUp) {
  EXPECT_DOUBLE_EQ(cycles(0, 128, 1024, 7), 70);
  // Every second one lies across a border.
  EXPECT_DOUBLE_EQ(cycles(0, 128, 192, 10), 5 * 10 + 5 * 14);
  EXPECT_DOUBLE_EQ(cycles(0, 128, 192, 1001), 501 * 10 + 500 * 14);
  EXPECT_DOUBLE_EQ(cycles(1 << 20, 128, -192, 10), 5 * 10 + 5 * 14);
}

TEST(DmaRate, NothingTakesNoTime) { EXPECT_DOUBLE_EQ(cycles(0, 0), 0); }

}  // namespace
}  // namespace solway::emulator
