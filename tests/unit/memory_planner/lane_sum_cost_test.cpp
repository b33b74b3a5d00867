#include "memory_planner/lane_sum_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

/// C[i] = sum of A[i, j, k] over both.
VectorStage sums(std::int64_t rows, std::int64_t columns) {
  const auto at = samples::at(4);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 10, at);
  const auto j = dsl::make_axis("j", dsl::AxisKind::Reduce, 0, rows, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, columns, at);
  const auto a = dsl::make_placeholder({10, rows, columns}, DType::Float32, "A", at);
  const auto read =
      dsl::make_read(a, {samples::value_of(i), samples::value_of(j), samples::value_of(k)}, at);
  const auto c =
      dsl::make_compute({10}, {i}, dsl::make_reduce(ReduceOp::Sum, read, {j, k}, at), "C", at);
  return describe_stage(schedule::make_state({c}, {}), "C", testing::vector_machine());
}

/// In lanes along k.
VectorPlan in_lanes() {
  VectorPlan out;
  out.vector = 2;
  out.held = {1, 1, 1};
  out.written_out = {false, false, false};
  return out;
}

TEST(LaneSumCost, LanesOfShortRowsAreCombinedOnce) {
  const double once = combining_cycles(sums(1, 30), in_lanes(), 1);
  EXPECT_LT(combining_cycles(sums(8, 30), in_lanes(), 1), 2 * once);
  EXPECT_EQ(combining_cycles(sums(8, 100), in_lanes(), 1), 8 * once);  // of long rows, in each
  EXPECT_EQ(combining_cycles(sums(8, 30), in_lanes(), 3), 24 * once);  // of tiles, too
}

TEST(LaneSumCost, ShortRowsHaveAsManyVectorsAsTheyFill) {
  EXPECT_EQ(vectors_apart(sums(8, 30), in_lanes(), 1), 2);
  EXPECT_EQ(vectors_apart(sums(8, 100), in_lanes(), 1), 4);
  EXPECT_EQ(vectors_apart(sums(1, 30), in_lanes(), 1), 4);
  EXPECT_EQ(vectors_apart(sums(8, 30), in_lanes(), 6), 1);
}

}  // namespace
}  // namespace solway::memory_planner
