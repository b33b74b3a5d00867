#include "driver/padded_product.h"

#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/driver/product_with_reader.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

std::optional<FormChoice> choice_of(const State& state) {
  memory_planner::PlanMemo plans;
  return pad_product(state, "C", load_target("sw26010", {}), kRoom, plans, samples::at(9));
}

TEST(PadProduct, OfOddExtentsComputesWholeTiles) {
  const auto choice = choice_of(schedule::make_state({samples::Matmul(63, 61, 64).c}, {}));
  ASSERT_TRUE(choice && choice->state);
  EXPECT_EQ(choice->stage, "C_pad");
  EXPECT_EQ(choice->decision.what, "the shape of C");
  EXPECT_EQ(choice->decision.chosen, "padded to 64 x 64");
  EXPECT_LT(choice->decision.cycles, 0.92 * choice->decision.instead_cycles);
  ASSERT_EQ(choice->state->log.size(), 1U);
  EXPECT_EQ(choice->state->log[0].primitive, "pad");
}

TEST(PadProduct, ReadersOfOtherTensorsReadThePaddedOne) {
  const testing::ProductWithReader p(63, 61, 64);
  const auto choice = choice_of(p.state);
  ASSERT_TRUE(choice && choice->state);
  EXPECT_TRUE(choice->state->program->statement("D").reads_from("C_pad"));
}

TEST(PadProduct, NothingOfWholeTiles) {
  EXPECT_FALSE(choice_of(schedule::make_state({samples::Matmul(64, 64, 63).c}, {})));
}

TEST(PadProduct, NothingWhereTheUserHasScheduled) {
  const State state = schedule::make_state({samples::Matmul(63, 61, 64).c}, {});
  const auto cut = schedule::split(state, "C", state.stage_loops.at("C")[1], 8, samples::at(9));
  EXPECT_FALSE(choice_of(cut.state));
}

TEST(PadProduct, NothingOfARow) {
  EXPECT_FALSE(choice_of(schedule::make_state({samples::Matmul(1, 61, 64).c}, {})));
}

TEST(PadProduct, NothingOfWhatIsNoProduct) {
  const samples::Pipeline sample(61);
  EXPECT_FALSE(choice_of(schedule::make_state({sample.c}, {})));
}

}  // namespace
}  // namespace solway::driver
