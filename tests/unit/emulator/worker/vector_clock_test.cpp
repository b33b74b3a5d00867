#include "emulator/worker/vector_clock.h"

#include <set>

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

TEST(VectorClock, JoinsToTheLatestOfEach) {
  VectorClock a;
  VectorClock b;
  a.advance(0);
  a.advance(0);
  b.advance(0);
  b.advance(kMpeThread);
  a.join(b);
  EXPECT_EQ(a[0], 2U);
  EXPECT_EQ(a[kMpeThread], 1U);
  EXPECT_EQ(a[1], 0U);
  EXPECT_EQ(b[0], 1U);
}

TEST(VectorClock, HasAPlaceForTheThreadsOfOtherGroups) {
  VectorClock a;
  VectorClock b;
  const unsigned far = cpe_thread(5, 63);
  a.advance(far);
  EXPECT_EQ(a[far], 1U);
  EXPECT_EQ(a[far - 1], 0U);
  EXPECT_EQ(a[far + 1], 0U);
  b.advance(cpe_thread(1, 0));
  b.join(a);
  EXPECT_EQ(b[far], 1U);
  EXPECT_EQ(b[cpe_thread(1, 0)], 1U);
  a.join(b);
  EXPECT_EQ(a[cpe_thread(1, 0)], 1U);
}

TEST(VectorClock, EveryThreadHasANumberOfItsOwn) {
  std::set<unsigned> seen;
  for (int group = 0; group < 6; ++group) {
    for (int id = 0; id < 64; ++id) {
      EXPECT_TRUE(seen.insert(cpe_thread(group, id)).second);
      EXPECT_FALSE(is_mpe_thread(cpe_thread(group, id)));
    }
  }
  for (int number = 0; number < 9; ++number) {
    EXPECT_TRUE(seen.insert(mpe_thread(number)).second);
    EXPECT_TRUE(is_mpe_thread(mpe_thread(number)));
  }
  EXPECT_EQ(mpe_thread(0), kMpeThread);
}

}  // namespace
}  // namespace solway::emulator
