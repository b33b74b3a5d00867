#include "support/message_parts.h"

#include <cstdint>
#include <vector>

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

/// The dimension, blocks, rows of a block, rows of a core.
std::vector<std::int64_t> divided(const std::vector<std::int64_t>& shape, std::int64_t cores,
                                  std::int64_t element_bytes = 4) {
  const CoreParts parts = divide_among_cores(shape, element_bytes, cores);
  return {static_cast<std::int64_t>(parts.dim), parts.blocks, parts.rows, parts.per_core};
}

using Numbers = std::vector<std::int64_t>;

TEST(DivideAmongCores, TheOutermostDimensionOfSeveralRows) {
  EXPECT_EQ(divided({64, 32}, 8), (Numbers{0, 1, 64, 8}));
  EXPECT_EQ(divided({1, 20, 32}, 8), (Numbers{1, 1, 20, 3}));
  EXPECT_EQ(divided({24, 3}, 8), (Numbers{0, 1, 24, 3}));
  EXPECT_EQ(divided({24, 3}, 8, 2), (Numbers{0, 1, 24, 16}));  // 96 bytes: whole messages
  EXPECT_EQ(divide_among_cores({1, 20, 32}, 4, 8).row_elems, 32);
}

TEST(DivideAmongCores, FewRowsEachByItself) {
  EXPECT_EQ(divided({4, 6, 16}, 8), (Numbers{1, 4, 6, 3}));
  EXPECT_EQ(divided({4, 16}, 8), (Numbers{1, 4, 16, 8}));
  EXPECT_EQ(divided({4, 8}, 8), (Numbers{0, 1, 4, 1}));       // half a row is no part
  EXPECT_EQ(divided({4, 7, 16}, 8), (Numbers{0, 1, 4, 1}));   // not even
  EXPECT_EQ(divided({3, 16, 16}, 8), (Numbers{0, 1, 3, 1}));  // eight are not shared by three
}

TEST(DivideAmongCores, NothingOfWhatIsEmpty) {
  EXPECT_EQ(divided({0, 16}, 8), (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(divide_among_cores({4, 0, 8}, 4, 8).row_elems, 0);
}

}  // namespace
}  // namespace solway
