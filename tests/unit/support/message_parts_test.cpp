#include "support/message_parts.h"

#include <gtest/gtest.h>

namespace solway {
namespace {

TEST(MessageParts, OfWordsAreAMessageAtLeast) {
  EXPECT_TRUE(can_be_part(32, 4));
  EXPECT_TRUE(can_be_part(36, 4));
  EXPECT_TRUE(can_be_part(40, 8));
  EXPECT_FALSE(can_be_part(28, 4));
}

TEST(MessageParts, OfShorterElementsFillMessages) {
  EXPECT_TRUE(can_be_part(64, 2));
  EXPECT_FALSE(can_be_part(36, 2));
  EXPECT_FALSE(can_be_part(33, 1));
}

}  // namespace
}  // namespace solway
