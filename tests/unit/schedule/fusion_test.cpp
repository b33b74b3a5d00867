#include "schedule/fusion.h"

#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "support/isl_context.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

Fusion fusion_of(const std::vector<std::int64_t>& extents) {
  Fusion out;
  for (const std::int64_t extent : extents)
    out.push_back({"c", dsl::AxisKind::Spatial, extent, {}});
  return out;
}

/// The coordinates of a number, by division.
std::vector<std::int64_t> coordinates_of(std::int64_t number,
                                         const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> out(extents.size());
  for (std::size_t k = extents.size(); k-- > 0;) {
    out[k] = k == 0 ? number : number % extents[k];
    number /= extents[k];
  }
  return out;
}

TEST(DigitsBetween, AreTheDigitsOfTheNumber) {
  int found = 0;
  for (const std::vector<std::int64_t>& extents :
       std::vector<std::vector<std::int64_t>>{{4, 6}, {5, 4}, {3, 4, 2}, {2, 1, 6}, {7}}) {
    std::int64_t all = 1;
    for (const std::int64_t extent : extents) all *= extent;
    for (std::int64_t begin = 1; begin <= 2 * all; ++begin) {
      for (std::int64_t wrap = 0; begin * wrap <= 3 * all; ++wrap) {
        const auto digits = digits_between(fusion_of(extents), begin, begin * wrap);
        if (!digits) continue;
        ++found;
        for (std::int64_t number = 0; number < all; ++number) {
          const auto coordinates = coordinates_of(number, extents);
          std::int64_t sum = 0;
          for (const Digit& digit : *digits) {
            std::int64_t value = coordinates[digit.coordinate] / digit.step;
            if (digit.wrap != 0) value %= digit.wrap;
            EXPECT_LT(value, digit.extent);
            sum += value * digit.weight;
          }
          const std::int64_t shifted = number / begin;
          EXPECT_EQ(sum, wrap == 0 ? shifted : shifted % wrap)
              << number << " by " << begin << " mod " << wrap;
        }
      }
    }
  }
  EXPECT_GT(found, 100);
}

TEST(DigitsBetween, NeedWholeStepsOfACoordinate) {
  const Fusion fusion = fusion_of({4, 6});
  EXPECT_TRUE(digits_between(fusion, 1, 0));
  EXPECT_TRUE(digits_between(fusion, 3, 0));
  EXPECT_TRUE(digits_between(fusion, 12, 0));  // two rounds of the inner one
  EXPECT_FALSE(digits_between(fusion, 4, 0));
  EXPECT_FALSE(digits_between(fusion, 9, 0));
  EXPECT_FALSE(digits_between(fusion, 1, 4));
  EXPECT_FALSE(digits_between(fusion_of({3, 0}), 1, 0));  // an inner loop that never runs
  EXPECT_FALSE(digits_between(fusion_of({3, 1LL << 40, 1LL << 40}), 1, 0));
}

TEST(DigitsOf, ALoopThatWasNotFusedHasNone) {
  const ScheduledMatmul m(4, 6, 2);
  EXPECT_FALSE(digits_of(m.state.order, m.state.order.loop(m.lx)));
  const FuseResult f = fuse(m.state, "C", {m.lx, m.ly}, samples::at(9));
  const auto digits = digits_of(f.state.order, f.state.order.loop(f.fused));
  ASSERT_TRUE(digits);
  EXPECT_EQ(digits->size(), 2U);
  EXPECT_EQ(digits->front().weight, 6);
}

TEST(NumberOf, AStatementWithoutCoordinatesHasNone) {
  const ScheduledMatmul m(4, 6, 2);
  const FuseResult f = fuse(m.state, "C", {m.lx, m.ly}, samples::at(9));
  const Fusion& fusion = f.state.order.fusions.front();
  const auto digits = digits_of(f.state.order, f.state.order.loop(f.fused));
  EXPECT_FALSE(number_of(fusion, *digits, "other"));
  const auto number = number_of(fusion, *digits, "C");
  ASSERT_TRUE(number);
  EXPECT_TRUE(number->plain_is_equal(f.state.order.loop(f.fused).value.at("C")));
}

TEST(CopyCoordinates, FollowTheInstance) {
  const ScheduledMatmul m(4, 6, 2);
  FuseResult f = fuse(m.state, "C", {m.lx, m.ly}, samples::at(9));
  Order& order = f.state.order;
  const isl::multi_pw_aff instance(m.state.program->ctx(), "{ T[p, x, y, k] -> C[x, y, k] }");
  copy_coordinates(order, "C", "T", instance);
  EXPECT_TRUE(order.fusions.front()[1].value.at("T").plain_is_equal(
      isl::pw_aff(m.state.program->ctx(), "{ T[p, x, y, k] -> [(y)] }")));
}

TEST(JoinCoordinates, OfLoopsThatCountTheSame) {
  const IslContext isl;
  const isl::ctx ctx = isl.get();
  const auto loop = [&](int fusion, const std::string& statement) {
    Loop out;
    out.fused.fusion = fusion;
    out.value.emplace(statement, isl::pw_aff(ctx, "{ " + statement + "[i] -> [(i)] }"));
    return out;
  };
  const auto joined = [&](std::int64_t extent) {
    Order order;
    order.fusions = {fusion_of({4, 6}), fusion_of({4, extent})};
    for (Coordinate& coordinate : order.fusions[1]) {
      coordinate.value.emplace("T", isl::pw_aff(ctx, "{ T[i] -> [(i)] }"));
    }
    join_coordinates(order, loop(0, "S"), loop(1, "T"));
    return order.fusions[0][1].value.count("T");
  };
  EXPECT_EQ(joined(6), 1U);
  EXPECT_EQ(joined(5), 0U);
}

}  // namespace
}  // namespace solway::schedule
