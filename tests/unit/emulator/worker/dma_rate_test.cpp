#include "emulator/worker/dma_rate.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

/// 128 bytes take 10 cycles, 192 take 13, 256 take 14, 512 take 22; puts twice as long.
DmaTiming timing() {
  DmaTiming out;
  out.transaction_bytes = 128;
  out.points = {{32, 3.2, 1.6},
                {128, 12.8, 6.4},
                {192, 192 / 13.0, 192 / 26.0},
                {256, 256 / 14.0, 256 / 28.0},
                {512, 512 / 22.0, 512 / 44.0}};
  return out;
}

DmaRate rate() { return DmaRate(timing()); }

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

TEST(DmaRate, PartsOfATransactionTakeAsLongAsTheNextLargerBlockThatWasMeasured) {
  EXPECT_DOUBLE_EQ(cycles(0, 132), 13);
  EXPECT_DOUBLE_EQ(cycles(0, 196), 14);
  EXPECT_DOUBLE_EQ(cycles(0, 260), 18);
  EXPECT_DOUBLE_EQ(cycles(0, 514), 26);
}

TEST(DmaRate, BlocksThatBeginWithinATransactionHaveAThroughputOfTheirOwn) {
  DmaTiming slow = timing();
  slow.misaligned_bytes_per_cycle = 16;  // a transaction in 8 cycles
  const DmaRate rate(slow);
  const auto of = [&](std::uint64_t address, std::uint64_t bytes) {
    return rate.cycles({DmaDirection::Get, address, bytes, 0, 1});
  };
  EXPECT_DOUBLE_EQ(of(64, 512), 5 * 8);
  EXPECT_DOUBLE_EQ(of(48, 208), 2 * 8);
  EXPECT_DOUBLE_EQ(of(48, 212), 3 * 8);
  EXPECT_DOUBLE_EQ(of(64, 32), 10);  // no faster than one that begins with it
  EXPECT_DOUBLE_EQ(of(128, 512), 22);
}

TEST(DmaRate, TransactionsThatAreWrittenInPartTakeLonger) {
  DmaTiming slow = timing();
  slow.misaligned_bytes_per_cycle = 16;  // a transaction in 8 cycles
  slow.partial_put = 13;
  const DmaRate rate(slow);
  const auto of = [&](DmaDirection direction, std::uint64_t address, std::uint64_t bytes) {
    return rate.cycles({direction, address, bytes, 0, 1});
  };
  EXPECT_DOUBLE_EQ(of(DmaDirection::Put, 64, 512), 5 * 8 + 2 * 13);
  EXPECT_DOUBLE_EQ(of(DmaDirection::Put, 64, 192), 2 * 8 + 13);  // it ends with a transaction
  EXPECT_DOUBLE_EQ(of(DmaDirection::Put, 64, 32), 8 + 13);       // within one
  EXPECT_DOUBLE_EQ(of(DmaDirection::Get, 64, 512), 5 * 8);
  EXPECT_DOUBLE_EQ(of(DmaDirection::Put, 128, 512), rate.cycles({DmaDirection::Put, 0, 512, 0, 1}));
}

TEST(DmaRate, AlignedBlocksMayEndWithinATransactionAtACost) {
  DmaTiming slow = timing();
  slow.aligned_partial_put = 30;
  const DmaRate rate(slow);
  const auto of = [&](std::uint64_t bytes, DmaDirection direction) {
    return rate.cycles({direction, 0, bytes, 0, 1});
  };
  EXPECT_DOUBLE_EQ(of(256, DmaDirection::Put), 28);
  EXPECT_DOUBLE_EQ(of(192, DmaDirection::Put), 26 + 30);
  EXPECT_DOUBLE_EQ(of(4, DmaDirection::Put), 20 + 30);
  EXPECT_DOUBLE_EQ(of(192, DmaDirection::Get), 13);
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
