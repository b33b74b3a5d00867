#include "emulator/worker/vector_clock.h"

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

}  // namespace
}  // namespace solway::emulator
