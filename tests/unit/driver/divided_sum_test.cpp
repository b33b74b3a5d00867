#include "driver/divided_sum.h"

#include <gtest/gtest.h>

#include "dsl/reducer.h"
#include "schedule/split.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

std::optional<FormChoice> choice_of(const State& state) {
  memory_planner::PlanMemo plans;
  return divide_sum(state, "C", load_target("sw26010", {}), kRoom, plans, samples::at(9));
}

TEST(DivideSum, OfFewResultsByDifferentCores) {
  const samples::Matmul matmul(1, 1000, 4096);
  const auto choice = choice_of(schedule::make_state({matmul.c}, samples::at(4)));
  ASSERT_TRUE(choice && choice->state);
  EXPECT_EQ(choice->stage, "C_rf");
  EXPECT_LT(choice->decision.cycles, choice->decision.instead_cycles);
  EXPECT_EQ(choice->state->program->stages.front()->name, "C_rf");
  ASSERT_EQ(choice->state->log.size(), 2U);
  EXPECT_EQ(choice->state->log[0].primitive, "split");
  EXPECT_EQ(choice->state->log[1].primitive, "rfactor");
}

TEST(DivideSum, StaysWholeWhereThePartsCostMore) {
  const samples::Matmul matmul(1, 256, 16);
  const auto choice = choice_of(schedule::make_state({matmul.c}, samples::at(4)));
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->state);
  EXPECT_EQ(choice->decision.chosen, "whole, each by one core");
  EXPECT_GT(choice->decision.instead_cycles, 0.92 * choice->decision.cycles);
}

TEST(DivideSum, NearTheBandwidthForAFewHundredthsToo) {
  const samples::Matmul matmul(1, 4096, 4096);
  const auto choice = choice_of(schedule::make_state({matmul.c}, samples::at(4)));
  ASSERT_TRUE(choice && choice->state);
  EXPECT_GT(choice->decision.cycles, 0.92 * choice->decision.instead_cycles);
  EXPECT_LT(choice->decision.cycles, 0.99 * choice->decision.instead_cycles);
}

/// Short parts of rows that begin anywhere move slowly; whole rows do not.
TEST(DivideSum, AmongFewCoresToo) {
  Target target = load_target("sw26010", {});
  target.cores.count = 4;
  target.cores.mesh_rows = target.cores.mesh_columns = 2;
  const samples::Matmul matmul(1, 1000, 4096);
  const State state = schedule::make_state({matmul.c}, samples::at(4));
  memory_planner::PlanMemo plans;
  const auto choice = divide_sum(state, "C", target, kRoom, plans, samples::at(9));
  ASSERT_TRUE(choice && choice->state);
  EXPECT_EQ(choice->state->program->stages.front()->shape.front(), 4);
  EXPECT_LT(choice->decision.cycles, 0.8 * choice->decision.instead_cycles);
}

/// C[i] = argmax(A[i, k])
dsl::Tensor position_of_largest(std::int64_t rows, std::int64_t columns) {
  const dsl::Tensor a = dsl::make_placeholder({rows, columns}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, rows, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, columns, samples::at(2));
  const dsl::Expr value =
      dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, samples::at(2));
  return dsl::make_compute({rows}, {i},
                           dsl::make_arg_reduce(dsl::Extreme::Largest, value, {k}, samples::at(2)),
                           "C", samples::at(2));
}

TEST(DivideSum, OfSeveralValuesAtOnce) {
  const auto choice =
      choice_of(schedule::make_state({position_of_largest(8, 4096)}, samples::at(4)));
  ASSERT_TRUE(choice && choice->state);
  EXPECT_EQ(choice->stage, "C_rf_0");
  EXPECT_LT(choice->decision.cycles, 0.92 * choice->decision.instead_cycles);
  EXPECT_EQ(choice->state->log[1].primitive, "rfactor");
  EXPECT_TRUE(choice->state->program->arrays.count("C_rf_1"));
}

TEST(DivideSum, NothingOfManyResults) {
  EXPECT_FALSE(choice_of(schedule::make_state({samples::Matmul(128, 128, 512).c}, {})));
}

TEST(DivideSum, NothingWhereTheUserHasScheduled) {
  const samples::Matmul matmul(1, 1000, 4096);
  const State state = schedule::make_state({matmul.c}, samples::at(4));
  const auto cut = schedule::split(state, "C", state.stage_loops.at("C")[1], 8, samples::at(9));
  EXPECT_FALSE(choice_of(cut.state));
}

}  // namespace
}  // namespace solway::driver
