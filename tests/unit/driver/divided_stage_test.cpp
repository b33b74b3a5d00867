#include "driver/divided_stage.h"

#include <gtest/gtest.h>

#include "driver/product_epilogue.h"
#include "schedule/split.h"

#include "tests/support/grouped_sums.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

TEST(DivideStage, TakesTheFewerCycles) {
  const samples::GroupedSums sums(256, 256, 16);
  const State state = schedule::make_state({sums.s}, samples::at(4));
  const Target target = load_target("sw26010", {});
  memory_planner::PlanMemo plans;
  const auto made = divide_stage(state, "S", target, kRoom, plans, {}, samples::at(9));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->divided.loops.size(), 2U);
  EXPECT_LT(made->decision.cycles, made->decision.instead_cycles);
  EXPECT_EQ(made->decision.instead_cycles, best_cycles(state, "S", target, kRoom, plans));
  EXPECT_EQ(least_cycles(state, "S", target, kRoom, plans, {}, samples::at(9)),
            made->decision.cycles);
}

TEST(DivideStage, NothingToDivide) {
  const samples::Matmul matmul(64, 64, 64);
  const State state = schedule::make_state({matmul.c}, samples::at(4));
  const Target target = load_target("sw26010", {});
  memory_planner::PlanMemo plans;
  EXPECT_FALSE(divide_stage(state, "C", target, kRoom, plans, {}, samples::at(9)));
  EXPECT_EQ(plans.searches(), 0U);
  EXPECT_EQ(least_cycles(state, "C", target, kRoom, plans, {}, samples::at(9)),
            best_cycles(state, "C", target, kRoom, plans));
}

TEST(DivideStage, NothingWhereTheUserHasSplit) {
  const samples::GroupedSums sums(256, 256, 16);
  State state = schedule::make_state({sums.s}, samples::at(4));
  state = schedule::split(state, "S", state.stage_loops.at("S")[1], 8, samples::at(9)).state;
  memory_planner::PlanMemo plans;
  EXPECT_FALSE(
      divide_stage(state, "S", load_target("sw26010", {}), kRoom, plans, {}, samples::at(9)));
}

}  // namespace
}  // namespace solway::driver
