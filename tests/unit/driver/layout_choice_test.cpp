#include "driver/layout_choice.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

/// S[x, y] = sum over k of A[x, k] * B[y, k]; R[x, y] = -S[x, y].
struct TurnedProduct {
  dsl::Tensor a, b, s, r;

  TurnedProduct(std::int64_t m, std::int64_t n, std::int64_t depth) {
    using samples::at;
    using samples::value_of;
    a = dsl::make_placeholder({m, depth}, DType::Float32, "A", at(1));
    b = dsl::make_placeholder({n, depth}, DType::Float32, "B", at(2));
    const auto axis = [](const char* name, dsl::AxisKind kind, std::int64_t end) {
      return dsl::make_axis(name, kind, 0, end, at(3));
    };
    const auto x = axis("x", dsl::AxisKind::Spatial, m);
    const auto y = axis("y", dsl::AxisKind::Spatial, n);
    const auto k = axis("k", dsl::AxisKind::Reduce, depth);
    const dsl::Expr term =
        dsl::make_binary(BinaryOp::Mul, dsl::make_read(a, {value_of(x), value_of(k)}, at(3)),
                         dsl::make_read(b, {value_of(y), value_of(k)}, at(3)), at(3));
    s = dsl::make_compute({m, n}, {x, y}, dsl::make_reduce(ReduceOp::Sum, term, {k}, at(3)), "S",
                          at(3));
    const auto i = axis("i", dsl::AxisKind::Spatial, m);
    const auto j = axis("j", dsl::AxisKind::Spatial, n);
    const dsl::Expr sum = dsl::make_read(s, {value_of(i), value_of(j)}, at(4));
    r = dsl::make_compute({m, n}, {i, j}, dsl::make_unary(UnaryOp::Neg, sum, at(4)), "R", at(4));
  }
};

std::optional<LayoutChoice> choice_of(const State& state, const char* stage) {
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
  const TurnedProduct product(64, 64, 64);
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
