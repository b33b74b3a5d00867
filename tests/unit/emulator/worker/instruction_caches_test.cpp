#include "emulator/worker/instruction_caches.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr int kLine = 64;
constexpr int kOwn = 16 * kLine;
constexpr int kShared = 64 * kLine;
constexpr int kSharedCycles = 10;
constexpr int kMainCycles = 100;

InstructionCacheTiming timing(int ways = 4) {
  return {kLine, ways, kShared, kSharedCycles, kMainCycles};
}

/// Cycles per round of a loop of so many lines that one core runs, once the caches have what they
/// keep of it.
std::int64_t round_of(int lines, int ways = 4) {
  InstructionCaches caches(timing(ways), kOwn, 1);
  std::int64_t now = 0;
  std::int64_t last = 0;
  for (int round = 0; round < 3; ++round) {
    last = caches.fetch(0, 0, lines * kLine, now);
    now += last;
  }
  return last;
}

TEST(InstructionCaches, ALoopThatFitsMissesInItsFirstRoundOnly) {
  InstructionCaches caches(timing(), kOwn, 1);
  EXPECT_EQ(caches.fetch(0, 0, kOwn, 0), 16 * kMainCycles);
  EXPECT_EQ(caches.fetch(0, 0, kOwn, 5000), 0);
}

TEST(InstructionCaches, ALargerOneMissesInEveryRound) {
  EXPECT_EQ(round_of(16), 0);
  // One line too many: five compete for one of four places.
  EXPECT_EQ(round_of(17), 5 * kSharedCycles);
  EXPECT_EQ(round_of(24), 24 * kSharedCycles);
  EXPECT_EQ(round_of(64), 64 * kSharedCycles);
  EXPECT_EQ(round_of(128), 128 * kMainCycles);
}

TEST(InstructionCaches, OneWayLosesTheLinesThatCollideOnly) {
  EXPECT_EQ(round_of(17, 1), 2 * kSharedCycles);
}

TEST(InstructionCaches, CodeThatTouchesALineNeedsAllOfIt) {
  InstructionCaches caches(timing(), kOwn, 1);
  EXPECT_EQ(caches.fetch(0, kLine - 4, 8, 0), 2 * kMainCycles);
  EXPECT_EQ(caches.fetch(0, 0, 2 * kLine, 1000), 0);
  EXPECT_EQ(caches.fetch(0, 2 * kLine, 0, 1000), 0);
}

TEST(InstructionCaches, CoresShareWhatOneOfThemHasFetched) {
  InstructionCaches caches(timing(), kOwn, 3);
  EXPECT_EQ(caches.fetch(0, 0, kLine, 1000), kMainCycles);
  EXPECT_EQ(caches.fetch(1, 0, kLine, 1040), kMainCycles - 40);  // it is under way
  EXPECT_EQ(caches.fetch(2, 0, kLine, 2000), kSharedCycles);
}

TEST(InstructionCaches, ACoreThatIsBehindAsksForItself) {
  InstructionCaches caches(timing(), kOwn, 3);
  EXPECT_EQ(caches.fetch(0, 0, kLine, 1000), kMainCycles);
  EXPECT_EQ(caches.fetch(1, 0, kLine, 10), kMainCycles);
  EXPECT_EQ(caches.fetch(2, 0, kLine, 100), kSharedCycles);  // there since cycle 110 at the latest
}

TEST(InstructionCaches, WithoutASharedCacheEachMissIsOfMainMemory) {
  InstructionCacheTiming alone = timing();
  alone.shared_bytes = 0;
  InstructionCaches caches(alone, kOwn, 2);
  EXPECT_EQ(caches.fetch(0, 0, kLine, 0), kMainCycles);
  EXPECT_EQ(caches.fetch(1, 0, kLine, 1000), kMainCycles);
  EXPECT_EQ(caches.fetch(1, 0, kLine, 2000), 0);
}

}  // namespace
}  // namespace solway::emulator
