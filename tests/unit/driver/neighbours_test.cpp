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

dsl::Axis axis(const char* name, dsl::AxisKind kind, std::int64_t extent) {
  return dsl::make_axis(name, kind, 0, extent, at(2));
}

/// M[j] = max_k X[k, j].
struct OfColumns {
  dsl::Tensor x = dsl::make_placeholder({24, 64}, DType::Float32, "X", at(1));
  dsl::Tensor m;

  OfColumns() {
    const dsl::Axis j = axis("j", dsl::AxisKind::Spatial, 64);
    const dsl::Axis k = axis("k", dsl::AxisKind::Reduce, 24);
    const dsl::Expr most = dsl::make_reduce(ReduceOp::Max, read(x, {k, j}), {k}, at(2));
    m = dsl::make_compute({64}, {j}, most, "M", at(2));
  }
};

bool keeps(const State& state, const std::string& host) {
  const schedule::LoopId level = state.stage_loops.at(host)[0];
  const State placed = schedule::compute_at(state, "M", host, level, at(9));
  return keeps_neighbours(state, placed, "M", host, level, vector_machine());
}

TEST(Neighbours, RowsKeepThemInside) {
  EXPECT_TRUE(keeps(schedule::make_state({Rows().y}, {}), "Y"));
}

/// V[j] = sum_t (X[t, j] - M[j]).
TEST(Neighbours, ALoopOverColumnsTakesThem) {
  const OfColumns columns;
  const dsl::Axis j = axis("j", dsl::AxisKind::Spatial, 64);
  const dsl::Axis t = axis("t", dsl::AxisKind::Reduce, 24);
  const dsl::Expr term =
      dsl::make_binary(BinaryOp::Sub, read(columns.x, {t, j}), read(columns.m, {j}), at(3));
  const dsl::Expr sum = dsl::make_reduce(ReduceOp::Sum, term, {t}, at(3));
  const dsl::Tensor v = dsl::make_compute({64}, {j}, sum, "V", at(3));
  EXPECT_FALSE(keeps(schedule::make_state({v}, {}), "V"));
}

/// Y[i, j] = A[i, j] - M[i]: the host keeps its neighbours, the extreme does not.
TEST(Neighbours, TheStageMayLoseThemWhereTheHostDoesNot) {
  const OfColumns columns;
  const dsl::Tensor a = dsl::make_placeholder({64, 32}, DType::Float32, "A", at(1));
  const dsl::Axis i = axis("i", dsl::AxisKind::Spatial, 64);
  const dsl::Axis j = axis("j", dsl::AxisKind::Spatial, 32);
  const dsl::Expr value =
      dsl::make_binary(BinaryOp::Sub, read(a, {i, j}), read(columns.m, {i}), at(3));
  const dsl::Tensor y = dsl::make_compute({64, 32}, {i, j}, value, "Y", at(3));
  EXPECT_FALSE(keeps(schedule::make_state({y}, {}), "Y"));
}

}  // namespace
}  // namespace solway::driver
