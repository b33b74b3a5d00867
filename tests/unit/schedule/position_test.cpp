#include "schedule/position.h"

#include <map>

#include <gtest/gtest.h>

#include "schedule/footprint.h"
#include "schedule/fuse.h"
#include "schedule/reverse.h"
#include "schedule/shift.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

using Values = std::vector<std::int64_t>;

/// A product of 7 x 10 whose tiles of 2 x 3 are counted by one loop.
struct FusedMatmul : ScheduledMatmul {
  LoopId xo, yo, xi, yi, fused;

  FusedMatmul() : ScheduledMatmul(7, 10, 2) {
    const SplitResult x = split(state, "C", lx, 2, samples::at(6));
    const SplitResult y = split(x.state, "C", ly, 3, samples::at(6));
    xo = x.outer, xi = x.inner, yo = y.outer, yi = y.inner;
    state = reorder(y.state, "C", {xo, yo, xi, yi}, samples::at(7));
    const FuseResult f = fuse(state, "C", {xo, yo}, samples::at(8));
    state = f.state;
    fused = f.fused;
  }

  /// Splits a loop and returns both.
  std::pair<LoopId, LoopId> cut(LoopId loop, std::int64_t factor) {
    const SplitResult r = split(state, "C", loop, factor, samples::at(9));
    state = r.state;
    return {r.outer, r.inner};
  }
};

/// Per instance of C, the values of a function of it.
std::map<Values, Values> by_instance(const State& state, const isl::multi_pw_aff& function) {
  std::map<Values, Values> out;
  const isl::set& domain = state.program->statement("C").domain;
  const auto rank = static_cast<std::ptrdiff_t>(isl_ext::dim_count(domain, isl_ext::Dim::Range));
  function.as_map().intersect_domain(domain).wrap().foreach_point([&](const isl::point& point) {
    const Values all = isl_ext::coordinates(point);
    out.emplace(Values(all.begin(), all.begin() + rank), Values(all.begin() + rank, all.end()));
  });
  return out;
}

/// Coordinates name just what the values of the loops do, and give a statement that counts in them
/// these values.
void expect_exact(const State& state, const std::vector<LoopId>& loops, const Position& position) {
  const auto values = by_instance(state, values_of(state, "C", loops));
  const auto coordinates = by_instance(state, position.of("C"));
  ASSERT_EQ(values.size(), 140U);
  ASSERT_EQ(coordinates.size(), values.size());
  std::map<Values, Values> there, back;
  for (const auto& [instance, value] : values) {
    const Values& at = coordinates.at(instance);
    EXPECT_EQ(there.emplace(value, at).first->second, at);
    EXPECT_EQ(back.emplace(at, value).first->second, value);
  }
  Order order = state.order;
  const auto dims = static_cast<unsigned>(position.num_coordinates());
  const isl::space space = isl::space::unit(state.program->ctx())
                               .add_named_tuple(isl::id(state.program->ctx(), "T"), dims);
  position.give_values(order, "T", isl::multi_aff::identity_on_domain(space).to_multi_pw_aff());
  for (const auto& [at, value] : back) {
    for (std::size_t k = 0; k < loops.size(); ++k) {
      isl::set point = isl::set::universe(space);
      for (std::size_t d = 0; d < at.size(); ++d) {
        point = isl_ext::fix(point, static_cast<int>(d), at[d]);
      }
      const isl::set given = point.apply(order.loop(loops[k]).value.at("T").as_map());
      EXPECT_EQ(isl_ext::coordinates(given.sample_point()), Values{value[k]});
    }
  }
}

Position position_in(const State& state, const std::vector<LoopId>& loops) {
  return {state, loops, {"C_init", "C"}};
}

TEST(Position, OfAFusedLoopIsThatOfTheLoopsBefore) {
  const FusedMatmul m;
  const Position position = position_in(m.state, {m.fused});
  EXPECT_EQ(position.num_coordinates(), 2U);
  expect_exact(m.state, {m.fused}, position);
  EXPECT_EQ(position.axes()[0]->name, "x.o");
  EXPECT_EQ(position.axes()[1]->extent(), 4);
  EXPECT_TRUE(position.of("C").as_map().is_equal(
      isl::map(m.state.program->ctx(), "{ C[x, y, k] -> [x // 2, y // 3] }")));
}

TEST(Position, OfPartsOfAFusedLoopIsThatOfPartsOfTheLoopsBefore) {
  FusedMatmul m;  // tiles of 4 rows and 4 columns
  const auto [rows, in_rows] = m.cut(m.fused, 8);
  expect_exact(m.state, {rows}, position_in(m.state, {rows}));
  EXPECT_EQ(position_in(m.state, {rows}).num_coordinates(), 1U);
  EXPECT_EQ(position_in(m.state, {rows, in_rows}).num_coordinates(), 2U);
  const auto [left, right] = m.cut(in_rows, 2);
  EXPECT_EQ(position_in(m.state, {rows, left}).num_coordinates(), 2U);
  expect_exact(m.state, {rows, left}, position_in(m.state, {rows, left}));
  expect_exact(m.state, {rows, left, right}, position_in(m.state, {rows, left, right}));
}

TEST(Position, OfAllPartsIsThatOfTheLoopsBeforeHoweverItWasSplit) {
  FusedMatmul m;
  const auto [outer, inner] = m.cut(m.fused, 3);
  EXPECT_EQ(position_in(m.state, {outer, inner}).num_coordinates(), 2U);
  expect_exact(m.state, {outer, inner}, position_in(m.state, {outer, inner}));
  // Three tiles of one row and of the next are no part of both coordinates.
  EXPECT_EQ(position_in(m.state, {outer}).num_coordinates(), 1U);
  expect_exact(m.state, {outer}, position_in(m.state, {outer}));
}

TEST(Position, OfThreeLoopsFusedInTwoSteps) {
  FusedMatmul m;
  m.state = reorder(m.state, "C", {m.fused, m.yi, m.xi}, samples::at(9));
  const FuseResult f = fuse(m.state, "C", {m.fused, m.yi}, samples::at(10));
  EXPECT_EQ(position_in(f.state, {f.fused}).num_coordinates(), 3U);
  expect_exact(f.state, {f.fused}, position_in(f.state, {f.fused}));
}

TEST(Position, FollowsAShiftAndForgetsTheLoopsBeforeAReverse) {
  const FusedMatmul m;
  const State shifted = shift(m.state, "C", m.fused, 5, samples::at(9));
  EXPECT_EQ(position_in(shifted, {m.fused}).num_coordinates(), 2U);
  expect_exact(shifted, {m.fused}, position_in(shifted, {m.fused}));
  const State reversed = reverse(m.state, "C", m.fused, samples::at(9));
  EXPECT_EQ(position_in(reversed, {m.fused}).num_coordinates(), 1U);
  expect_exact(reversed, {m.fused}, position_in(reversed, {m.fused}));
}

TEST(Position, TrustsNoCoordinatesThatDoNotCountTheLoop) {
  FusedMatmul m;
  Order& order = m.state.order;
  for (auto& [name, value] : order.fusions.front()[1].value) value = value.add_constant(1);
  EXPECT_EQ(position_in(m.state, {m.fused}).num_coordinates(), 1U);
}

TEST(Position, OutsideAllLoopsHasNoCoordinates) {
  const FusedMatmul m;
  EXPECT_EQ(position_in(m.state, {}).num_coordinates(), 0U);
  EXPECT_EQ(position_in(m.state, {}).of("C").size(), 0U);
}

TEST(Position, TheFootprintInAFusedLoopIsTheTile) {
  const FusedMatmul m;
  const auto accesses = accesses_of(m.state, "C", "C", AccessKind::Writes);
  const Footprint f =
      make_footprint("r", accesses, position_in(m.state, {m.fused}), {true, true}, {});
  EXPECT_EQ(f.sizes, (Values{2, 3}));
  EXPECT_TRUE(f.box.is_equal(isl::map(m.state.program->ctx(),
                                      "{ [xo, yo] -> C[x, y] : 0 <= xo < 4 and 0 <= yo < 4 and "
                                      "2xo <= x < 2xo + 2 and x < 7 and "
                                      "3yo <= y < 3yo + 3 and y < 10 }")));
}

}  // namespace
}  // namespace solway::schedule
