#include "schedule/transfer_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RowDims : public ::testing::Test {
 protected:
  std::optional<std::vector<int>> of(const std::string& cells) {
    return row_dims_of(isl::map(isl_.get(), cells));
  }

  IslContext isl_;
};

TEST_F(RowDims, ABoxHasNone) {
  EXPECT_THAT(of("{ S[p] -> B[i, j] : 0 <= p < 4 and 0 <= i < 8 and 0 <= j < 16 - p }"),
              ::testing::Optional(IsEmpty()));
}

TEST_F(RowDims, TheInnermostDimensionStaysInTheRows) {
  EXPECT_THAT(of("{ S[p] -> B[i, j] : 0 <= p < 4 and 0 <= i < 8 and 0 <= j <= i + p }"),
              ::testing::Optional(ElementsAre(0)));
  EXPECT_THAT(of("{ S[p] -> B[i, j, k] : 0 <= p < 4 and 0 <= i < 8 and i <= k <= i + p and "
                 "0 <= j < 5 }"),
              ::testing::Optional(ElementsAre(0)));
  EXPECT_THAT(of("{ S[p] -> B[b, i, j] : 0 <= p < 4 and 0 <= b < 3 and 0 <= i < 8 and "
                 "0 <= j <= i }"),
              ::testing::Optional(ElementsAre(1)));
}

TEST_F(RowDims, ATetrahedronHasTwo) {
  EXPECT_THAT(of("{ S[p] -> B[i, j, k] : 0 <= p < 4 and 0 <= i < 8 and 0 <= j <= i and "
                 "0 <= k <= i - j }"),
              ::testing::Optional(ElementsAre(0, 1)));
  // For each j a box of i from j on and k up to j.
  EXPECT_THAT(of("{ S[p] -> B[i, j, k] : 0 <= p < 4 and 0 <= i < 8 and 0 <= j <= i and "
                 "0 <= k <= j }"),
              ::testing::Optional(ElementsAre(1)));
}

TEST_F(RowDims, RowsAreBoxesThatFollowEachOther) {
  EXPECT_EQ(of("{ S[p] -> B[i, j] : 0 <= p < 4 and 0 <= i, j < 8 and (i + j) mod 2 = 0 }"),
            std::nullopt);
  // Rows 0 and 2 are there, 1 is not; by columns there are gaps as well.
  EXPECT_EQ(of("{ S[p] -> B[i, j] : 0 <= p < 4 and (i = 0 or i = 2) and 0 <= j <= i }"),
            std::nullopt);
}

TEST_F(RowDims, ColumnsWhereRowsHaveGaps) {
  // Row 2 has columns 0 and 2.
  EXPECT_THAT(of("{ S[p] -> B[i, j] : 0 <= p < 4 and ((j = 0 and 0 <= i < 3) or "
                 "(j = 1 and 0 <= i < 2) or (j = 2 and 0 <= i < 3)) }"),
              ::testing::Optional(ElementsAre(1)));
}

TEST_F(RowDims, MoreRowsThanThereNeedToBeAreRowsToo) {
  const isl::map cells(isl_.get(),
                       "{ S[p] -> B[i, j] : 0 <= p < 4 and 0 <= i < 8 and 0 <= j < 4 }");
  EXPECT_TRUE(are_rows(cells, {0}));
  const isl::map triangle(isl_.get(),
                          "{ S[p] -> B[i, j] : 0 <= p < 4 and 0 <= i < 8 and 0 <= j <= i }");
  EXPECT_FALSE(are_rows(triangle, {}));
  EXPECT_TRUE(are_rows(triangle, {0}));
}

/// A transfer of what lies below the diagonal of C[32, 32], in tiles of 8 rows and 16 columns.
struct Tile {
  IslContext isl;
  Buffer buffer;
  Copy copy;

  explicit Tile(int depth) {
    const isl::ctx ctx = isl.get();
    const std::string where =
        "8a <= i < 8a + 8 and 16b <= j < 16b + 16 and 0 <= j <= i < 32 and 0 <= a < 4 and "
        "0 <= b < 2";
    const std::string slot = depth == 1 ? "" : "b mod 2, ";
    buffer.name = "CC";
    buffer.dims = {{0}, {1}};
    buffer.depth = depth;
    copy.buffer = "CC";
    copy.elements = isl::map(ctx, "{ S[a, b] -> C[i, j] : " + where + " }");
    copy.storage = isl::map(
        ctx, "{ [S[a, b] -> C[i, j]] -> CC[" + slot + "i - 8a, j - 16b] : " + where + " }");
    copy.first = isl::multi_pw_aff(ctx, "{ S[a, b] -> C[(8a), (16b)] }");
    copy.count = isl::multi_pw_aff(ctx, "{ S[a, b] -> [(8), (16)] }");
    copy.near_first = isl::multi_pw_aff(
        ctx, "{ S[a, b] -> CC[" + std::string(depth == 1 ? "" : "(b mod 2), ") + "(0), (0)] }");
    copy.rows = {0};
  }
};

/// Whether a function of [a, b] or [a, b, r] is this one wherever there are rows.
bool equals(const isl::pw_aff& value, const std::string& text) {
  const isl::pw_aff expected(value.ctx(), text);
  return value.ne_set(expected).is_empty();
}

TEST(RowsOf, SaysWhereEachRowLies) {
  for (const int depth : {1, 2}) {
    const Tile tile(depth);
    const TransferRows rows = rows_of(tile.copy, tile.buffer);
    ASSERT_EQ(rows.ranges.size(), 1u);
    // Of the tiles on the diagonal those in the second column begin below their first rows.
    const isl::set second(tile.isl.get(), "{ [a, b] : b = 1 and 2 <= a < 4 }");
    const isl::pw_aff begin = rows.ranges[0].begin.intersect_domain(second);
    EXPECT_TRUE(equals(begin, "{ [a, b] -> [(0)] }")) << isl_ext::to_string(begin);
    EXPECT_TRUE(equals(rows.ranges[0].end.intersect_domain(second), "{ [a, b] -> [(8)] }"));
    const isl::set diagonal(tile.isl.get(), "{ [a, b, r] : a = 1 and b = 0 and 0 <= r < 8 }");
    const auto in = [&](const isl::pw_aff& value) { return value.intersect_domain(diagonal); };
    EXPECT_TRUE(equals(in(rows.first.at(0)), "{ [a, b, r] -> [(8a + r)] }"));
    EXPECT_TRUE(equals(in(rows.first.at(1)), "{ [a, b, r] -> [(0)] }"));
    EXPECT_TRUE(equals(in(rows.count.at(0)), "{ [a, b, r] -> [(1)] }"));
    EXPECT_TRUE(equals(in(rows.count.at(1)), "{ [a, b, r] -> [(9 + r)] }"));
    EXPECT_EQ(rows.near_first.size(), 2u);
    EXPECT_TRUE(equals(in(rows.near_first.at(0)), "{ [a, b, r] -> [(r)] }"));
  }
}

TEST(RowsOf, FindsTilesThatAreBoxes) {
  const Tile tile(1);
  const TransferRows rows = rows_of(tile.copy, tile.buffer);
  const isl::set expected(tile.isl.get(), "{ S[a, b] : b = 0 and 2 <= a < 4 }");
  EXPECT_TRUE(rows.whole.is_equal(expected)) << isl_ext::to_string(rows.whole);
}

}  // namespace
}  // namespace solway::schedule
