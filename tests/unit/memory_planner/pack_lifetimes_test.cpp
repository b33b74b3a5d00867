#include "memory_planner/pack_lifetimes.h"

#include <algorithm>
#include <cstddef>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;

TEST(PackLifetimes, ThoseThatFollowEachOtherShare) {
  EXPECT_THAT(pack_lifetimes({{64, 0, 1}, {32, 2, 2}, {64, 0, 2}}, 32), ElementsAre(64, 64, 0));
}

TEST(PackLifetimes, OffsetsAreAligned) {
  EXPECT_THAT(pack_lifetimes({{5, 0, 0}, {3, 0, 0}, {1, 0, 0}}, 4), ElementsAre(0, 8, 12));
}

TEST(PackLifetimes, AGapIsFilled) {
  // The two that last from 0 to 2 leave the bytes of the others free in turn.
  EXPECT_THAT(pack_lifetimes({{8, 0, 2}, {16, 0, 0}, {8, 1, 1}, {8, 1, 1}, {16, 2, 2}}, 8),
              ElementsAre(0, 8, 8, 16, 8));
}

std::int64_t end_of(const std::vector<Lifetime>& lifetimes,
                    const std::vector<std::int64_t>& offsets) {
  std::int64_t end = 0;
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    end = std::max(end, offsets[k] + lifetimes[k].size_bytes);
  }
  return end;
}

TEST(PackLifetimes, RandomOnesShareOnlyWhatTheyMay) {
  std::mt19937 rng(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Lifetime> all;
    for (int k = 0; k < 8; ++k) {
      const int first = static_cast<int>(rng() % 6);
      const int last = first + static_cast<int>(rng() % 3);
      all.push_back({static_cast<std::int64_t>(rng() % 100), first, last});
    }
    const std::vector<std::int64_t> offsets = pack_lifetimes(all, 4);
    for (std::size_t a = 0; a < all.size(); ++a) {
      EXPECT_EQ(offsets[a] % 4, 0);
      for (std::size_t b = 0; b < a; ++b) {
        if (!all[a].meets(all[b])) continue;
        EXPECT_TRUE(offsets[a] + all[a].size_bytes <= offsets[b] ||
                    offsets[b] + all[b].size_bytes <= offsets[a]);
      }
    }
    EXPECT_GE(end_of(all, offsets), most_in_use(all));
  }
}

TEST(PackLifetimes, NestsThatFollowEachOtherEndAsLowAsCanBe) {
  std::mt19937 rng(11);
  for (int round = 0; round < 500; ++round) {
    std::vector<Lifetime> all;
    for (int k = 0; k < 8; ++k) {
      const int nest = static_cast<int>(rng() % 4);
      all.push_back({static_cast<std::int64_t>(8 * (rng() % 10)), 3 * nest, 3 * nest + 2});
    }
    EXPECT_EQ(end_of(all, pack_lifetimes(all, 8)), most_in_use(all));
  }
}

}  // namespace
}  // namespace solway::memory_planner
