#include "driver/layout_choice.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/driver/turned_product.h"

namespace solway::driver {
namespace {

using schedule::State;
using testing::TurnedProduct;

const memory_planner::Room kRoom{60000, 32};

std::optional<FormChoice> choice_of(const State& state, const char* stage) {
  memory_planner::PlanMemo plans;
  return choose_layouts(state, stage, load_target("sw26010", {}), kRoom, plans, samples::at(9));
}

TEST(ChooseLayouts, TurnsWhatManyRowsRead) {
  const TurnedProduct product(4096, 64, 256);
  const State state = schedule::make_state({product.r}, samples::at(5));
  const auto choice = choice_of(state, "S");
  ASSERT_TRUE(choice && choice->state);
  EXPECT_EQ(choice->decision.chosen, "B[k, y]");
  EXPECT_LT(choice->decision.cycles, choice->decision.instead_cycles);
  EXPECT_TRUE(choice->state->program->statement("S").reads_from("B_layout"));
  EXPECT_EQ(choice->state->program->array("B_layout").shape, (std::vector<std::int64_t>{256, 64}));
  ASSERT_EQ(choice->state->log.size(), 1U);
  EXPECT_EQ(choice->state->log[0].primitive, "transform_layout");
}

TEST(ChooseLayouts, LeavesWhatFewRowsRead) {
  const TurnedProduct product(4, 512, 4096);
  const State state = schedule::make_state({product.r}, samples::at(5));
  const auto choice = choice_of(state, "S");
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->state);
  EXPECT_EQ(choice->decision.chosen, "as they are");
  EXPECT_GT(choice->decision.instead_cycles, 0.92 * choice->decision.cycles);
}

TEST(ChooseLayouts, NothingWhereThereIsNoSumOrNoWholeVector) {
  const TurnedProduct product(4096, 64, 256);
  EXPECT_FALSE(choice_of(schedule::make_state({product.r}, samples::at(5)), "R"));
  const TurnedProduct odd(4095, 63, 256);
  EXPECT_FALSE(choice_of(schedule::make_state({odd.r}, samples::at(5)), "S"));
}

TEST(ChooseLayouts, NothingWhereTheUserHasScheduledWhatItConcerns) {
  const TurnedProduct product(4096, 64, 256);
  const State state = schedule::make_state({product.r}, samples::at(5));
  for (const char* stage : {"S", "R"}) {
    const auto cut =
        schedule::split(state, stage, state.stage_loops.at(stage)[0], 8, samples::at(9));
    EXPECT_FALSE(choice_of(cut.state, "S")) << stage;
  }
}

}  // namespace
}  // namespace solway::driver
