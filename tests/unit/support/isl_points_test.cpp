#include "support/isl_points.h"

#include <gtest/gtest.h>

#include "support/isl_context.h"

namespace solway::isl_ext {
namespace {

using Points = std::vector<std::vector<std::int64_t>>;

TEST(IslPoints, ThoseBelowADiagonal) {
  const IslContext isl;
  const isl::set set(isl.get(), "{ S[i, j] : 0 <= j <= i < 3 }");
  const Points all{{0, 0}, {0, 1}, {2, 1}, {3, 0}, {1, -1}};
  EXPECT_EQ(points_in(set, all), (Points{{0, 0}, {2, 1}}));
}

TEST(IslPoints, RemaindersAndSeveralParts) {
  const IslContext isl;
  const isl::set set(isl.get(), "{ S[i] : i mod 3 = 1 or i > 7 }");
  EXPECT_EQ(points_in(set, {{0}, {1}, {4}, {6}, {8}}), (Points{{1}, {4}, {8}}));
}

TEST(IslPoints, NoneOfAnEmptySet) {
  const IslContext isl;
  const isl::set set(isl.get(), "{ S[i] : false }");
  EXPECT_TRUE(points_in(set, {{0}, {1}}).empty());
}

}  // namespace
}  // namespace solway::isl_ext
