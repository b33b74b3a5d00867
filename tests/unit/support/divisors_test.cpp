#include "support/divisors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CeilDiv, CountsTheLastPart) {
  EXPECT_EQ(ceil_div(13, 8), 2);
  EXPECT_EQ(ceil_div(16, 8), 2);
  EXPECT_EQ(ceil_div(1, 8), 1);
}

TEST(Divisors, AsDocumented) {
  EXPECT_THAT(divisors(12), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(divisors(12, 2), ElementsAre(2, 4, 6, 12));
}

TEST(Divisors, OfPrimesOneAndNothing) {
  EXPECT_THAT(divisors(13), ElementsAre(1, 13));
  EXPECT_THAT(divisors(13, 4), IsEmpty());
  EXPECT_THAT(divisors(1), ElementsAre(1));
  EXPECT_THAT(divisors(0), IsEmpty());
}

}  // namespace
}  // namespace solway
