#include "driver/turned_layout.h"

#include <gtest/gtest.h>

#include "driver/auto_buffer.h"
#include "driver/layout_choice.h"
#include "schedule/compute_root.h"
#include "schedule/split.h"
#include "schedule/transform_layout.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/driver/turned_product.h"

namespace solway::driver {
namespace {

using schedule::State;
using testing::TurnedProduct;

const memory_planner::Room kRoom{60000, 32};

/// B[y, k] of a product, stored as B_layout[k, y].
State laid_out(const TurnedProduct& product) {
  const State state = schedule::make_state({product.r}, samples::at(5));
  const dsl::Axis y =
      dsl::make_axis("y", dsl::AxisKind::Spatial, 0, product.b->shape[0], samples::at(6));
  const dsl::Axis k =
      dsl::make_axis("k", dsl::AxisKind::Spatial, 0, product.b->shape[1], samples::at(6));
  return schedule::transform_layout(
      state, {product.b, {y, k}, {samples::value_of(k), samples::value_of(y)}}, samples::at(6));
}

std::optional<CopyChoice> choice_of(const State& state, const char* stage) {
  memory_planner::PlanMemo plans;
  return choose_turning(state, stage, load_target("sw26010", {}), kRoom, plans, {}, samples::at(9));
}

TEST(ChooseTurning, TurnsTilesOfWhatIsReadOnce) {
  const auto choice = choice_of(laid_out(TurnedProduct(64, 512, 4096)), "B_layout");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->reader, "S");
  EXPECT_TRUE(choice->is_near);
  EXPECT_LT(choice->decision.cycles, choice->decision.instead_cycles);
  EXPECT_EQ(choice->decision.what, "the layout B_layout");
}

TEST(ChooseTurning, ThePlannerPlacesTheCopyInTheLoopsOfItsReader) {
  const State state = laid_out(TurnedProduct(64, 512, 4096));
  const AutoBufferResult planned =
      auto_buffer(state, load_target("sw26010", {}), "optimal", samples::at(9));
  EXPECT_TRUE(schedule::is_placed(planned.state, "B_layout"));
  EXPECT_TRUE(planned.remarks.empty());
  for (const StageChoice& choice : planned.choices) EXPECT_NE(choice.stage, "B_layout");
}

TEST(ChooseTurning, NothingWhereThereIsNoOtherLayout) {
  const State state = schedule::make_state({TurnedProduct(64, 512, 4096).r}, samples::at(5));
  EXPECT_FALSE(choice_of(state, "S"));
  EXPECT_FALSE(choice_of(state, "R"));
}

TEST(ChooseTurning, NothingWhereTheUserHasScheduledOneOfTheTwo) {
  const State state = laid_out(TurnedProduct(64, 512, 4096));
  for (const char* stage : {"B_layout", "S"}) {
    const auto cut =
        schedule::split(state, stage, state.stage_loops.at(stage)[0], 8, samples::at(9));
    EXPECT_FALSE(choice_of(cut.state, "B_layout")) << stage;
  }
}

}  // namespace
}  // namespace solway::driver
