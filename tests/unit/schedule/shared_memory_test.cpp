#include "schedule/shared_memory.h"

#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/vectorize.h"

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

using samples::at;
using samples::value_of;

/// C[i, j] = A[i + di, j + dj] for 0 <= i, j < 4
State shifted(std::int64_t di, std::int64_t dj) {
  const dsl::Tensor a = dsl::make_placeholder({5, 5}, DType::Float32, "A", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, at(2));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 4, at(2));
  const auto plus = [](const dsl::Axis& axis, std::int64_t distance) {
    return dsl::make_binary(BinaryOp::Add, value_of(axis),
                            dsl::make_int(distance, DType::Int64, true, at(2)), at(2));
  };
  const dsl::Expr body = dsl::make_read(a, {plus(i, di), plus(j, dj)}, at(2));
  return make_state({dsl::make_compute({4, 4}, {i, j}, body, "C", at(2))}, at(3));
}

LoopId loop_of(const State& state, std::size_t k) { return state.stage_loops.at("C")[k]; }

TEST(MayShareMemory, WhereEachElementIsReadFirst) {
  EXPECT_TRUE(may_share_memory(shifted(0, 0), "C", "A"));
  EXPECT_TRUE(may_share_memory(shifted(1, 0), "C", "A"));
  EXPECT_TRUE(may_share_memory(shifted(0, 1), "C", "A"));
}

TEST(MayShareMemory, NotInAProductOfMatrices) {
  const samples::Matmul m(4, 4, 4);
  const State state = make_state({m.c}, at(5));
  EXPECT_FALSE(may_share_memory(state, "C", "A"));
  EXPECT_FALSE(may_share_memory(state, "C", "B"));
}

TEST(MayShareMemory, DependsOnTheOrder) {
  const State state = shifted(1, 1);
  EXPECT_TRUE(may_share_memory(state, "C", "A"));
  EXPECT_FALSE(may_share_memory(parallel(state, "C", loop_of(state, 0), at(6)), "C", "A"));
  EXPECT_FALSE(may_share_memory(vectorize(shifted(0, 1), "C", loop_of(state, 1), at(6)), "C", "A"));
  EXPECT_TRUE(may_share_memory(vectorize(shifted(1, 0), "C", loop_of(state, 1), at(6)), "C", "A"));
}

}  // namespace
}  // namespace solway::schedule
