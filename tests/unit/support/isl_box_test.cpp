#include "support/isl_box.h"

#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::isl_ext {
namespace {

using testing::ElementsAre;
using testing::Optional;

class IslBox : public testing::Test {
 protected:
  std::optional<std::vector<std::int64_t>> steps(const std::string& text) const {
    return try_steps_on_box(isl::map(isl_.get(), text));
  }
  std::optional<std::vector<std::int64_t>> coefficients(const std::string& text) const {
    return try_coefficients(isl::map(isl_.get(), text));
  }
  IslContext isl_;
};

TEST_F(IslBox, CoefficientsOfAnAffineFunctionOnAnyDomain) {
  EXPECT_THAT(coefficients("{ [i, j] -> [4i - j] : 0 <= i < 8 and 0 <= j < 8 - i }"),
              Optional(ElementsAre(4, -1)));
  EXPECT_THAT(coefficients("{ [i, j] -> [i + 3] : i mod 2 = 0 and j >= 0 }"),
              Optional(ElementsAre(1, 0)));
  EXPECT_THAT(coefficients("{ [i] -> [i] : 0 <= i < 4; [i] -> [i] : 8 <= i < 12 }"),
              Optional(ElementsAre(1)));
  EXPECT_THAT(coefficients("[n] -> { [i] -> [2i] : 0 <= i < n }"), Optional(ElementsAre(2)));
}

TEST_F(IslBox, NoCoefficientsOfOtherFunctions) {
  EXPECT_EQ(coefficients("{ [i] -> [floor(i / 4)] : 0 <= i < 8 }"), std::nullopt);
  EXPECT_EQ(coefficients("{ [i] -> [v] : 2v = i and 0 <= i < 8 }"), std::nullopt);
  EXPECT_EQ(coefficients("{ [i] -> [i] : 0 <= i < 4; [i] -> [i + 1] : 8 <= i < 12 }"),
            std::nullopt);
  EXPECT_EQ(coefficients("[n] -> { [i] -> [i + n] : 0 <= i < n }"), std::nullopt);
  EXPECT_EQ(coefficients("{ [i] -> [i] : 1 = 0 }"), std::nullopt);
  EXPECT_EQ(coefficients("{ [i] -> [v] : i <= v <= i + 1 and 0 <= i < 4 }"), std::nullopt);
}

TEST_F(IslBox, CoefficientsOfAnAffineFunctionOnABox) {
  EXPECT_THAT(steps("{ [i, j, k] -> [4i - j + 7] : 0 <= i < 8 and -3 <= j < 5 and 0 <= k < 2 }"),
              Optional(ElementsAre(4, -1, 0)));
  EXPECT_THAT(steps("{ [] -> [5] }"), Optional(ElementsAre()));
}

TEST_F(IslBox, WhatAFunctionMayChangeWith) {
  const auto may = [&](const std::string& text) {
    return may_change_with(isl::map(isl_.get(), text));
  };
  EXPECT_THAT(may("{ [i, j] -> [i mod 2] : 0 <= i, j < 8 }"), ElementsAre(true, false));
  EXPECT_THAT(may("{ [i, j] -> [floor((i + j) / 2)] : 0 <= i, j < 8 }"), ElementsAre(true, true));
  EXPECT_THAT(may("{ [i, j, k] -> [i mod 2] : 0 <= i < j < 8 and 0 <= k < 2 }"),
              ElementsAre(true, true, false));
  EXPECT_THAT(may("{ [i, j] -> [3i] : 0 <= i < j < 8 }"), ElementsAre(true, false));
  EXPECT_THAT(may("{ [i, j] -> [i] : i < j; [i, j] -> [i + 1] : i > j }"), ElementsAre(true, true));
  EXPECT_THAT(may("{ [i, j] -> [5] : 0 <= i, j < 8 }"), ElementsAre(false, false));
}

TEST_F(IslBox, WhatHasOneValueChangesNothing) {
  EXPECT_THAT(steps("{ [i, j] -> [i + j] : 0 <= i < 8 and j = 3 }"), Optional(ElementsAre(1, 0)));
  EXPECT_THAT(steps("{ [i, j] -> [i + j] : 0 <= i < 1 and 2 <= 2j <= 5 }"),
              Optional(ElementsAre(0, 1)));
}

TEST_F(IslBox, NeighboursDifferInOneDimensionAlone) {
  const isl::set triangle(isl_.get(), "{ [i, j] : 0 <= i < j < 3 }");
  EXPECT_TRUE(has_neighbours(triangle, 0));
  EXPECT_TRUE(has_neighbours(triangle, 1));
  const isl::set row(isl_.get(), "{ [i, j] : 0 <= i < 2 and j = 1 }");
  EXPECT_TRUE(has_neighbours(row, 0));
  EXPECT_FALSE(has_neighbours(row, 1));
  EXPECT_FALSE(has_neighbours(isl::set(isl_.get(), "{ [i] : 0 <= i < 9 and i mod 2 = 0 }"), 0));
  EXPECT_FALSE(has_neighbours(isl::set(isl_.get(), "{ [i, j] : 0 <= i = j < 9 }"), 0));
}

TEST_F(IslBox, TheLeastAroundPoints) {
  const auto set = [&](const char* text) { return isl::set(isl_.get(), text); };
  EXPECT_TRUE(bounding_box(set("{ S[i, j] : 0 <= i < 9 and i mod 4 = 1 and j = 2i }"))
                  .is_equal(set("{ S[i, j] : 1 <= i <= 5 and 2 <= j <= 10 }")));
  EXPECT_TRUE(bounding_box(set("{ S[i, j] : 0 <= i < 4 and j >= i }"))
                  .is_equal(set("{ S[i, j] : 0 <= i < 4 }")));
  EXPECT_TRUE(bounding_box(set("{ S[] }")).is_equal(set("{ S[] }")));
  EXPECT_TRUE(is_bounded(set("{ S[i, j] : 0 <= i < 4 and i <= j < 7 }")));
  EXPECT_FALSE(is_bounded(set("{ S[i, j] : 0 <= i < 4 and j >= i }")));
}

TEST_F(IslBox, TheNextPointAlongADimension) {
  const isl::multi_aff next = next_along(isl::set(isl_.get(), "{ S[i, j] }").space(), 1);
  EXPECT_TRUE(next.plain_is_equal(isl::multi_aff(isl_.get(), "{ S[i, j] -> S[i, j + 1] }")));
}

TEST_F(IslBox, IntervalsMayHaveNoEnd) {
  EXPECT_THAT(steps("{ [i, j] -> [2i] }"), Optional(ElementsAre(2, 0)));
  EXPECT_THAT(steps("{ [i, j] -> [i - j] : i >= 0 and j <= 4 }"), Optional(ElementsAre(1, -1)));
}

TEST_F(IslBox, NothingIsSaidOfOtherFunctions) {
  EXPECT_EQ(steps("{ [i] -> [floor(i / 4)] : 0 <= i < 8 }"), std::nullopt);
  EXPECT_EQ(steps("{ [i] -> [v] : 2v = i and 0 <= i < 8 }"), std::nullopt);
  EXPECT_EQ(steps("{ [i] -> [i] : 0 <= i < 4; [i] -> [2i] : 8 <= i < 12 }"), std::nullopt);
  EXPECT_EQ(steps("{ [i, j] -> [i] : 0 <= i < 4 and 0 <= j < 4 - i }"), std::nullopt);
  EXPECT_EQ(steps("{ [i, j] -> [i] : 0 <= i < 4 and j = 2i }"), std::nullopt);
  EXPECT_EQ(steps("[n] -> { [i] -> [i] : 0 <= i < n }"), std::nullopt);
  EXPECT_EQ(steps("{ [i] -> [i] : 1 = 0 }"), std::nullopt);
  EXPECT_EQ(steps("{ [i] -> [v, w] : v = i and w = i }"), std::nullopt);
  EXPECT_EQ(steps("{ [i] -> [v] : i <= v <= i + 1 and 0 <= i < 4 }"), std::nullopt);
}

/// The differences of the values of x and x + 1 along each dimension, by enumeration.
TEST_F(IslBox, AgreesWithAllPairsOfNeighbours) {
  std::mt19937 random(1);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<int> low{pick(-3, 3), pick(-3, 3)};
    const std::vector<int> size{pick(1, 3), pick(1, 3)};
    const std::vector<int> factor{pick(-4, 4), pick(-4, 4)};
    std::string text = "{ [x0, x1] -> [" + std::to_string(pick(-9, 9));
    for (int k = 0; k < 2; ++k) {
      text += " + " + std::to_string(factor[k]) + "*x" + std::to_string(k);
    }
    text += "] : ";
    for (int k = 0; k < 2; ++k) {
      text += (k == 0 ? "" : " and ") + std::to_string(low[k]) + " <= x" + std::to_string(k) +
              " < " + std::to_string(low[k] + size[k]);
    }
    const auto out = steps(text + " }");
    ASSERT_TRUE(out.has_value()) << text;
    const isl::map function(isl_.get(), text + " }");
    for (int k = 0; k < 2; ++k) {
      const std::string next = k == 0 ? "[x0 + 1, x1]" : "[x0, x1 + 1]";
      const isl::map step(isl_.get(), "{ [x0, x1] -> " + next + " }");
      const isl::set apart = function.reverse().apply_range(step).apply_range(function).deltas();
      const auto least = try_dim_min(apart, 0);
      EXPECT_EQ((*out)[k], least.value_or(0)) << text << " along x" << k;
      EXPECT_EQ(least, try_dim_max(apart, 0)) << text;
      if (least && *least != 0) ++found;
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace solway::isl_ext
