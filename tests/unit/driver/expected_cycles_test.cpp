#include "driver/expected_cycles.h"

#include <gtest/gtest.h>

#include "driver/filled_border.h"
#include "driver/product_epilogue.h"

#include "tests/support/grouped_sums.h"
#include "tests/unit/driver/product_with_reader.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

double expected(const State& state, const std::vector<std::string>& stages) {
  memory_planner::PlanMemo plans;
  return expected_cycles(state, stages, load_target("sw26010", {}), kRoom, plans, samples::at(9));
}

TEST(ExpectedCycles, OfStagesApartTheSum) {
  const samples::Pipeline program(65536);
  const State state = schedule::make_state({program.c}, samples::at(4));
  const double both = expected(state, {"P", "C"});
  EXPECT_GT(expected(state, {"P"}), 0);
  EXPECT_DOUBLE_EQ(both, expected(state, {"P"}) + expected(state, {"C"}));
}

TEST(ExpectedCycles, OfAProductAndItsReaderTheCheaper) {
  memory_planner::PlanMemo plans;
  const testing::ProductWithReader p(256, 256, 256);
  const Target target = load_target("sw26010", {});
  const auto fused = product_epilogue(p.state, "C", target, plans);
  ASSERT_TRUE(fused);
  const auto together = plan_together(*fused, target, kRoom, plans);
  ASSERT_TRUE(together);
  const double apart = cycles_apart(p.state, *fused, target, kRoom, plans);
  EXPECT_DOUBLE_EQ(expected(p.state, {"C", "D"}), std::min(apart, together->cost.total()));
  // The reader is not counted with a product alone.
  EXPECT_DOUBLE_EQ(expected(p.state, {"C"}), best_cycles(p.state, "C", target, kRoom, plans));
}

TEST(ExpectedCycles, OfABorderThatIsFilledOnlyTheReader) {
  const samples::Padded program(65536);
  const State state = schedule::make_state({program.c}, samples::at(4));
  memory_planner::PlanMemo plans;
  const auto border =
      choose_border(state, "P", load_target("sw26010", {}), kRoom, plans, {}, samples::at(9));
  ASSERT_TRUE(border && border->is_near);
  EXPECT_DOUBLE_EQ(expected(state, {"P", "C"}), border->decision.cycles);
}

TEST(ExpectedCycles, OfLoopsThatAreDividedTheFewer) {
  const samples::GroupedSums sums(256, 256, 16);
  const State state = schedule::make_state({sums.s}, samples::at(4));
  memory_planner::PlanMemo plans;
  EXPECT_LT(expected(state, {"S"}),
            best_cycles(state, "S", load_target("sw26010", {}), kRoom, plans));
}

}  // namespace
}  // namespace solway::driver
