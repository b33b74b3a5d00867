#include "schedule/nested_statement.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

TEST(NestedStatement, RunsTheNeededInstancesAtEachPosition) {
  const samples::Pipeline program(7);
  const State state = make_state({program.c}, samples::at(5));
  const isl::ctx ctx = state.program->ctx();
  const isl::map needed(ctx, "{ [t] -> P[i] : 0 <= t < 2 and 4t <= i < 4t + 5 and i < 8 }");
  const auto t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, 2, samples::at(6));
  const NestedStatement made = nested_statement(state.program->statement("P"), needed, {t});
  const Statement& s = made.statement;
  EXPECT_TRUE(
      s.domain.is_equal(isl::set(ctx, "{ P[t, i] : 0 <= t < 2 and 4t <= i < 4t + 5 and i < 8 }")));
  EXPECT_TRUE(s.origin->is_equal(isl::map(ctx, "{ P[t, i] -> P[i] }").intersect_domain(s.domain)));
  EXPECT_TRUE(s.reads[1].relation.is_equal(
      isl::map(ctx, "{ P[t, i] -> A[i + 1] }").intersect_domain(s.domain)));
  EXPECT_EQ(s.axes.size(), 2U);
  EXPECT_EQ(s.axes[1], program.pi);
}

TEST(NestedStatement, AReductionIsOneResultPerPosition) {
  const testing::ScheduledMatmul matmul(2, 2, 2);
  const isl::ctx ctx = matmul.state.program->ctx();
  const isl::map needed(ctx, "{ [t] -> C_init[x, y] : 0 <= t, x, y < 2 }");
  const auto t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, 2, samples::at(6));
  const NestedStatement made =
      nested_statement(matmul.state.program->statement("C_init"), needed, {t});
  EXPECT_TRUE(made.statement.group->is_equal(
      isl::map(ctx, "{ C_init[t, x, y] -> G_C[t, x, y] : 0 <= t, x, y < 2 }")));
}

}  // namespace
}  // namespace solway::schedule
