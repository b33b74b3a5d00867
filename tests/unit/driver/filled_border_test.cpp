#include "driver/filled_border.h"

#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

TEST(ChooseBorder, TakesTheFewerCycles) {
  const samples::Padded program(65536);
  const State state = schedule::make_state({program.c}, samples::at(4));
  memory_planner::PlanMemo plans;
  const auto choice =
      choose_border(state, "P", load_target("sw26010", {}), kRoom, plans, {}, samples::at(9));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->reader, "C");
  // The image is stored and loaded again, or it is not.
  EXPECT_TRUE(choice->is_near);
  EXPECT_LT(choice->decision.cycles, choice->decision.instead_cycles);
  EXPECT_EQ(choice->decision.what, "the border of P");
}

TEST(ChooseBorder, NothingWhereThereIsNoBorder) {
  const samples::Pipeline program(64);
  const State state = schedule::make_state({program.c}, samples::at(4));
  memory_planner::PlanMemo plans;
  EXPECT_FALSE(
      choose_border(state, "P", load_target("sw26010", {}), kRoom, plans, {}, samples::at(9)));
}

TEST(ChooseBorder, NothingWhereTheUserHasScheduledOrSeesIt) {
  const samples::Padded program(64);
  const Target target = load_target("sw26010", {});
  memory_planner::PlanMemo plans;
  const State state = schedule::make_state({program.c}, samples::at(4));
  for (const char* stage : {"P", "C"}) {
    const auto cut =
        schedule::split(state, stage, state.stage_loops.at(stage)[0], 8, samples::at(9));
    EXPECT_FALSE(choose_border(cut.state, "P", target, kRoom, plans, {}, samples::at(9))) << stage;
  }
  const State seen = schedule::make_state({program.c, program.p}, samples::at(4));
  EXPECT_FALSE(choose_border(seen, "P", target, kRoom, plans, {}, samples::at(9)));
}

}  // namespace
}  // namespace solway::driver
