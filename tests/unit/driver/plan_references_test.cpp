#include "driver/plan_references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/far_references.h"

namespace solway::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Y[i] = X[i] + X[i + 32768], planned with a choice that says what the other plan would take.
struct Halves {
  dsl::Tensor y = samples::sum_of_points(1 << 15, {0, 1 << 15});
  Target target = load_target("sw26010", samples::at(1));
  memory_planner::Room room{60000, 32};
  memory_planner::PlanMemo plans;
  memory_planner::Decided decided;
  ReferenceChoice choice;
  AutoBufferResult out{schedule::make_state({y}, {}), {}, {}};

  Halves() {
    choice = choose_references(out.state, "Y", target, room, plans, decided);
    decided.apart["Y"] = choice.apart;
  }

  void plan() {
    plan_references(out, y, room, {target, true, plans, decided, nullptr, samples::at(3)}, choice);
  }
};

TEST(PlanReferences, WritesWhatIsChosen) {
  Halves halves;
  halves.plan();
  EXPECT_THAT(halves.out.choices.at(0).buffers, ElementsAre("XX", "XX_1", "YY"));
  EXPECT_THAT(halves.choice.decisions.at(0).chosen, HasSubstr("a buffer for each"));
}

TEST(PlanReferences, WritesTheOtherPlanWhereTheFirstTakesLongerThanThought) {
  Halves halves;
  memory_planner::Decision& decision = halves.choice.decisions.at(0);
  const double apart = decision.cycles;
  halves.decided.apart.clear();
  std::swap(decision.chosen, decision.instead);
  std::swap(decision.cycles, decision.instead_cycles);
  halves.plan();
  EXPECT_EQ(halves.out.choices.size(), 1U);
  EXPECT_THAT(halves.out.choices.at(0).buffers, ElementsAre("XX", "XX_1", "YY"));
  EXPECT_THAT(decision.chosen, HasSubstr("a buffer for each"));
  EXPECT_EQ(decision.cycles, halves.out.choices.at(0).cycles);
  EXPECT_LE(decision.cycles, apart);
  EXPECT_GT(decision.instead_cycles, decision.cycles);
}

TEST(PlanReferences, KeepsThePlanWhereTheOtherIsNoBetterEither) {
  Halves halves;
  memory_planner::Decision& decision = halves.choice.decisions.at(0);
  decision.instead_cycles = 1;
  halves.plan();
  EXPECT_THAT(halves.out.choices.at(0).buffers, ElementsAre("XX", "XX_1", "YY"));
  EXPECT_THAT(decision.chosen, HasSubstr("a buffer for each"));
  EXPECT_GT(decision.instead_cycles, decision.cycles);
  EXPECT_TRUE(halves.out.remarks.empty());
}

TEST(PlanReferences, NothingToChooseIsPlainPlanning) {
  Halves halves;
  halves.choice = {};
  halves.plan();
  EXPECT_EQ(halves.out.choices.size(), 1U);
}

}  // namespace
}  // namespace solway::driver
