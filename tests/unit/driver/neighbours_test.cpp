#include "driver/neighbours.h"

#include <gtest/gtest.h>

#include "schedule/compute_at.h"

#include "tests/unit/driver/row_samples.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using schedule::State;
using testing::read;
using testing::Rows;

/// M[j] = max_k X[k, j]; V[j] = sum_t (X[t, j] - M[j]).
dsl::Tensor columns() {
  const auto axis = [](const char* name, dsl::AxisKind kind, std::int64_t extent) {
    return dsl::make_axis(name, kind, 0, extent, at(2));
  };
  const dsl::Tensor x = dsl::make_placeholder({24, 64}, DType::Float32, "X", at(1));
  const dsl::Axis j = axis("j", dsl::AxisKind::Spatial, 64);
  const dsl::Axis k = axis("k", dsl::AxisKind::Reduce, 24);
  const dsl::Tensor m = dsl::make_compute(
      {64}, {j}, dsl::make_reduce(ReduceOp::Max, read(x, {k, j}), {k}, at(2)), "M", at(2));
  const dsl::Axis i = axis("i", dsl::AxisKind::Spatial, 64);
  const dsl::Axis t = axis("t", dsl::AxisKind::Reduce, 24);
  const dsl::Expr term = dsl::make_binary(BinaryOp::Sub, read(x, {t, i}), read(m, {i}), at(3));
  return dsl::make_compute({64}, {i}, dsl::make_reduce(ReduceOp::Sum, term, {t}, at(3)), "V",
                           at(3));
}

bool keeps(const State& state, const std::string& host) {
  const schedule::LoopId level = state.stage_loops.at(host)[0];
  const State placed = schedule::compute_at(state, "M", host, level, at(9));
  return keeps_neighbours(state, placed, "M", host, level, vector_machine());
}

TEST(Neighbours, RowsKeepThemInside) {
  EXPECT_TRUE(keeps(schedule::make_state({Rows().y}, {}), "Y"));
}

TEST(Neighbours, ALoopOverColumnsTakesThem) {
  EXPECT_FALSE(keeps(schedule::make_state({columns()}, {}), "V"));
}

/// R[i] = -sum_k X[k, i]; Y[i, j] = A[i, j] - R[i]: the host keeps its neighbours, the sum does
/// not.
TEST(Neighbours, TheStageMayLoseThemWhereTheHostDoesNot) {
  const auto axis = [](const char* name, dsl::AxisKind kind, std::int64_t extent) {
    return dsl::make_axis(name, kind, 0, extent, at(2));
  };
  const dsl::Tensor x = dsl::make_placeholder({24, 64}, DType::Float32, "X", at(1));
  const dsl::Tensor a = dsl::make_placeholder({64, 32}, DType::Float32, "A", at(1));
  const dsl::Axis c = axis("c", dsl::AxisKind::Spatial, 64);
  const dsl::Axis k = axis("k", dsl::AxisKind::Reduce, 24);
  const dsl::Tensor m = dsl::make_compute(
      {64}, {c}, dsl::make_reduce(ReduceOp::Sum, read(x, {k, c}), {k}, at(2)), "M", at(2));
  const dsl::Axis i = axis("i", dsl::AxisKind::Spatial, 64);
  const dsl::Axis j = axis("j", dsl::AxisKind::Spatial, 32);
  const dsl::Expr value = dsl::make_binary(BinaryOp::Sub, read(a, {i, j}), read(m, {i}), at(3));
  const dsl::Tensor y = dsl::make_compute({64, 32}, {i, j}, value, "Y", at(3));
  EXPECT_FALSE(keeps(schedule::make_state({y}, {}), "Y"));
}

}  // namespace
}  // namespace solway::driver
