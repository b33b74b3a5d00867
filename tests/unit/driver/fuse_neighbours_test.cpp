#include "driver/fuse_neighbours.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/terms_where.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using samples::value_of;
using schedule::State;
using testing::ElementsAre;

dsl::Axis axis(const char* name, dsl::AxisKind kind, std::int64_t extent) {
  return dsl::make_axis(name, kind, 0, extent, at(2));
}

std::vector<std::string> loops(const State& state) {
  std::vector<std::string> out;
  for (const schedule::LoopId id : state.stage_loops.at("Y")) {
    out.push_back(schedule::loop_name(state, id));
  }
  return out;
}

std::optional<State> fused(const dsl::Tensor& y) {
  return fuse_neighbours(schedule::make_state({y}, {}), "Y", vector_machine(), at(9));
}

/// Y[c] = sum over r, q of X[c, r, q], where r + q < `below`, if that is not 0; of X[r, c, q] when
/// rows lie apart.
dsl::Tensor sums(std::int64_t height, std::int64_t width, bool apart = false,
                 std::int64_t below = 0) {
  const auto x = dsl::make_placeholder(apart ? std::vector{height, std::int64_t{6}, width}
                                             : std::vector{std::int64_t{6}, height, width},
                                       DType::Float32, "X", at(1));
  const auto c = axis("c", dsl::AxisKind::Spatial, 6);
  const auto r = axis("r", dsl::AxisKind::Reduce, height);
  const auto q = axis("q", dsl::AxisKind::Reduce, width);
  std::vector<dsl::Expr> indices = {value_of(c), value_of(r), value_of(q)};
  if (apart) std::swap(indices[0], indices[1]);
  dsl::Expr term = dsl::make_read(x, indices, at(2));
  if (below > 0) {
    const auto sum = dsl::make_binary(BinaryOp::Add, value_of(r), value_of(q), at(2));
    const auto limit = dsl::make_int(below, DType::Int64, true, at(2));
    const auto inside = dsl::make_binary(BinaryOp::Lt, sum, limit, at(2));
    term = dsl::make_terms_where(ReduceOp::Sum, term, inside, at(2));
  }
  return dsl::make_compute({6}, {c}, dsl::make_reduce(ReduceOp::Sum, term, {r, q}, at(2)), "Y",
                           at(2));
}

TEST(FuseNeighbours, SumsOfShortRowsThatGoOn) {
  const auto out = fused(sums(7, 7));
  ASSERT_TRUE(out);
  EXPECT_THAT(loops(*out), ElementsAre("c", "r.q"));
  EXPECT_FALSE(fused(sums(7, 16)));           // whole vectors
  EXPECT_FALSE(fused(sums(7, 129)));          // long rows
  EXPECT_FALSE(fused(sums(7, 7, true)));      // rows lie apart
  EXPECT_FALSE(fused(sums(7, 7, false, 9)));  // others in each row
}

/// Y[c, y, x] = X[c, y, x] + B[c], or + x.
dsl::Tensor plane(std::int64_t height, std::int64_t width, bool adds_place) {
  const auto x = dsl::make_placeholder({6, height, width}, DType::Float32, "X", at(1));
  const auto b = dsl::make_placeholder({6}, DType::Float32, "B", at(1));
  const auto c = axis("c", dsl::AxisKind::Spatial, 6);
  const auto y = axis("y", dsl::AxisKind::Spatial, height);
  const auto column = axis("x", dsl::AxisKind::Spatial, width);
  const auto other = adds_place ? dsl::make_cast(value_of(column), DType::Float32, at(2))
                                : dsl::make_read(b, {value_of(c)}, at(2));
  const auto value = dsl::make_binary(
      BinaryOp::Add, dsl::make_read(x, {value_of(c), value_of(y), value_of(column)}, at(2)), other,
      at(2));
  return dsl::make_compute({6, height, width}, {c, y, column}, value, "Y", at(2));
}

TEST(FuseNeighbours, ResultsThatNothingIsSummedUpIn) {
  const auto out = fused(plane(7, 7, false));
  ASSERT_TRUE(out);
  EXPECT_THAT(loops(*out), ElementsAre("c", "y.x"));
  EXPECT_FALSE(fused(plane(7, 7, true)));  // it would divide for its place
  EXPECT_FALSE(fused(plane(7, 32, false)));
}

}  // namespace
}  // namespace solway::driver
