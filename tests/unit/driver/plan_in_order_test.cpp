#include "driver/plan_in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/update.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using samples::at;
using samples::value_of;
using testing::ElementsAre;
using testing::IsEmpty;

dsl::Expr plus(const dsl::Axis& axis, std::int64_t value) {
  return dsl::make_binary(BinaryOp::Add, value_of(axis),
                          dsl::make_int(value, DType::Int64, true, at(2)), at(2));
}

/// U[1 - p, i + 1] = U[p, i] + U[p, i + 2], so often.
struct Steps {
  dsl::Tensor u;
  dsl::Tensor last;
  Target target = load_target("sw26010", at(1));
  memory_planner::PlanMemo plans;
  memory_planner::Decided decided;

  Steps(std::int64_t times, std::int64_t points)
      : u(dsl::make_placeholder({2, points + 2}, DType::Float32, "U", at(1))) {
    const dsl::Axis t = dsl::make_axis("t", dsl::AxisKind::Spatial, 0, times, at(2));
    const dsl::Axis p = dsl::make_axis("p", dsl::AxisKind::Spatial, 0, 2, at(2));
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, points, at(2));
    const dsl::Expr other = dsl::make_binary(
        BinaryOp::Sub, dsl::make_int(1, DType::Int64, true, at(2)), value_of(p), at(2));
    const dsl::Expr sum =
        dsl::make_binary(BinaryOp::Add, dsl::make_read(u, {value_of(p), value_of(i)}, at(2)),
                         dsl::make_read(u, {value_of(p), plus(i, 2)}, at(2)), at(2));
    last = dsl::make_update(u, {t, p, i}, {other, plus(i, 1)}, sum, nullptr, "V", at(2));
  }

  AutoBufferResult plan(bool is_optimal) {
    AutoBufferResult out{schedule::make_state({last}, at(3)), {}, {}};
    plan_in_order(out, "V", {60000, 32}, {target, is_optimal, plans, decided, nullptr, at(9)},
                  "it was refused");
    return out;
  }
};

TEST(PlanInOrder, LongStepsRunOnAllCoresAndBothSidesAreCounted) {
  const AutoBufferResult r = Steps(4, 20000).plan(true);
  ASSERT_EQ(r.choices.size(), 1U);
  const StageChoice& choice = r.choices[0];
  EXPECT_EQ(choice.planner, "in order");
  EXPECT_THAT(choice.order, ElementsAre("t", "p", "i.o", "i.i"));
  EXPECT_EQ(choice.parallel, "i.o");
  EXPECT_EQ(choice.buffers.size(), 2U);
  ASSERT_EQ(choice.decisions.size(), 1U);
  EXPECT_EQ(choice.decisions[0].cycles, choice.cycles);
  EXPECT_GT(choice.decisions[0].instead_cycles, choice.cycles);
  ASSERT_EQ(r.remarks.size(), 1U);
  EXPECT_EQ(r.remarks[0].verdict, "keeps the order of its other loops");
  EXPECT_EQ(r.remarks[0].why, "it was refused");
}

TEST(PlanInOrder, ShortOnesOnOneCore) {
  const AutoBufferResult r = Steps(10, 24).plan(true);
  EXPECT_EQ(r.choices[0].parallel, "");
  EXPECT_GT(r.choices[0].cycles, 0);
  EXPECT_THAT(r.choices[0].decisions, IsEmpty());
  EXPECT_EQ(r.remarks[0].verdict, "keeps the order of its loops, on one core");
}

TEST(PlanInOrder, TheGreedyPlannerKnowsNoSteps) {
  const AutoBufferResult r = Steps(4, 2000).plan(false);
  EXPECT_EQ(r.choices[0].parallel, "");
  EXPECT_EQ(r.choices[0].cycles, -1);
  EXPECT_THAT(r.choices[0].decisions, IsEmpty());
}

}  // namespace
}  // namespace solway::driver
