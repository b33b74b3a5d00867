#include "schedule/assume.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/tensor.h"
#include "dsl/update.h"
#include "schedule/fuse.h"
#include "schedule/reorder.h"
#include "schedule/sizes.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using dsl::Expr;
using ::testing::HasSubstr;
using testing::refusal;

const SourceLoc kWhere{"user.py", 3, ""};
const SourceLoc kLater{"user.py", 9, ""};

Expr number(std::int64_t value) { return dsl::make_int(value, DType::Int64, false, kWhere); }

Expr binary(BinaryOp op, const Expr& a, const Expr& b) {
  return dsl::make_binary(op, a, b, kWhere);
}

/// B[i, j] = A[i, j] of n x 4, 1 <= n <= 64.
class Assume : public ::testing::Test {
 protected:
  Assume() {
    const dsl::Extent rows = dsl::make_extent(n, kWhere);
    const dsl::Tensor a = dsl::make_placeholder({rows, 4}, DType::Float32, "A", kWhere);
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, rows, kWhere);
    const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 4, kWhere);
    read =
        dsl::make_read(a, {dsl::make_axis_ref(i, kWhere), dsl::make_axis_ref(j, kWhere)}, kWhere);
    b = dsl::make_compute({rows, 4}, {i, j}, read, "B", kWhere);
    state = make_state({b}, kWhere);
  }

  static Expr multiple_of(const Expr& size, std::int64_t factor) {
    return binary(BinaryOp::Eq, binary(BinaryOp::Mod, size, number(factor)), number(0));
  }

  Expr n = dsl::make_size_ref(dsl::make_size("n", 1, 64, kWhere), kWhere);
  Expr read;
  dsl::Tensor b;
  State state;
};

TEST_F(Assume, HoldsInWhatWasWrittenAndInWhatIsScheduled) {
  const State after = assume(state, {multiple_of(n, 16)}, kLater);
  const isl::set expected(after.program->ctx(),
                          "[n] -> { B[i, j] : 0 <= i < n and 0 <= j < 4 and 1 <= n <= 64 and "
                          "n mod 16 = 0 }");
  EXPECT_TRUE(after.program->statement("B").domain.is_equal(expected));
  EXPECT_TRUE(after.original->statement("B").domain.is_equal(expected));
  EXPECT_TRUE(after.program->reference.domain().is_equal(expected.to_union_set()));
  EXPECT_TRUE(after.original->reference.domain().is_equal(expected.to_union_set()));
  EXPECT_FALSE(state.program->statement("B").domain.is_equal(expected));
  ASSERT_EQ(after.program->assumptions.size(), 1U);
  EXPECT_EQ(after.program->assumptions[0].where.line, 9);
}

TEST_F(Assume, IsAStepOfTheLog) {
  const State after = assume(state, {multiple_of(n, 16)}, kLater);
  ASSERT_EQ(after.log.size(), 1U);
  EXPECT_EQ(after.log[0].primitive, "assume");
  EXPECT_EQ(after.log[0].where.line, 9);
  EXPECT_EQ(std::get<StepText>(after.log[0].arguments[0].second).text, "{sizes.n} % 16 == 0");
}

TEST_F(Assume, ConditionsThatHoldTogetherAreAssumptionsOfTheirOwn) {
  const Expr both = binary(BinaryOp::And, multiple_of(n, 4), binary(BinaryOp::Le, n, number(64)));
  const auto made = assume(state, {both, multiple_of(n, 2)}, kLater).program->assumptions;
  ASSERT_EQ(made.size(), 3U);
  EXPECT_TRUE(made[0].has_effect);
  EXPECT_FALSE(made[1].has_effect);  // the bounds say so
  EXPECT_FALSE(made[2].has_effect);  // a multiple of 4 is even
}

TEST_F(Assume, LoopsRunOverWhatIsLeft) {
  const State after = assume(state, {binary(BinaryOp::Lt, n, number(10))}, kLater);
  const Loop& rows = after.order.loop(after.stage_loops.at("B")[0]);
  EXPECT_EQ(rows.end, 9);
  EXPECT_TRUE(rows.depends_on_sizes);
  EXPECT_EQ(after.order.loop(after.stage_loops.at("B")[1]).end, 4);
}

TEST_F(Assume, TheOnlyValueOfASizeMakesExtentsConstant) {
  const std::vector<LoopId> loops = state.stage_loops.at("B");
  const State turned = reorder(state, "B", {loops[1], loops[0]}, kWhere);
  EXPECT_THROW(fuse(turned, "B", {loops[1], loops[0]}, kWhere), UnsupportedError);
  const State after = assume(turned, {binary(BinaryOp::Eq, n, number(12))}, kLater);
  EXPECT_FALSE(after.order.loop(loops[0]).depends_on_sizes);
  EXPECT_NO_THROW(fuse(after, "B", {loops[1], loops[0]}, kWhere));
}

TEST_F(Assume, WholeBlocksNeedNoGuard) {
  const State after = assume(state, {multiple_of(n, 16)}, kLater);
  const SplitResult blocks = split(after, "B", after.stage_loops.at("B")[0], 16, kLater);
  const lowering::Lowered lowered =
      lowering::lower(blocks.state, {state.program->array("A").tensor, b}, "k", kWhere);
  EXPECT_EQ(ir::to_string(lowered.kernel),
            "kernel k(in A: float32[<= 64, 4], out B: float32[<= 64, 4], in sizes: int64[1]) "
            "requires ((sizes[0] % 16) == 0) {\n"
            "  let n = sizes[0] {\n"
            "    for i_o in [0, (n // 16)) {\n"
            "      for i_i in [0, 16) {\n"
            "        for j in [0, 4) {\n"
            "          B[((i_o * 16) + i_i), j] = A[((i_o * 16) + i_i), j]\n"
            "        }\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST_F(Assume, RefusesWhatIsNoConditionOnSizesOfTheSchedule) {
  const auto what = [&](const std::vector<Expr>& conditions) {
    const auto report = refusal<ScheduleArgumentError>([&] { assume(state, conditions, kLater); });
    EXPECT_EQ(report.where.line, 9);
    return report.what + "; " + report.why;
  };
  const Expr other = dsl::make_size_ref(dsl::make_size("q", 1, 8, kWhere), kWhere);
  EXPECT_THAT(what({}), HasSubstr("assume(): there is no condition"));
  EXPECT_THAT(what({n}), HasSubstr("'n' is no condition; it is a number"));
  EXPECT_THAT(what({binary(BinaryOp::Lt, dsl::make_axis_ref(b->axis[0], kWhere), n)}),
              HasSubstr("depends on axis 'i'"));
  EXPECT_THAT(what({binary(BinaryOp::Lt, read, read)}), HasSubstr("an element of 'A'"));
  EXPECT_THAT(what({binary(BinaryOp::Lt, number(1), number(2))}), HasSubstr("names no size"));
  EXPECT_THAT(what({binary(BinaryOp::Lt, other, n)}),
              HasSubstr("is no size of this schedule; its sizes are 'n'"));
}

TEST_F(Assume, RefusesWhatNeverHolds) {
  const auto why = [](const State& before, const Expr& condition) {
    return refusal<ScheduleArgumentError>([&] { assume(before, {condition}, kLater); }).why;
  };
  EXPECT_EQ(why(state, binary(BinaryOp::Gt, n, number(64))), "'n' runs from 1 to 64");
  const State even = assume(state, {multiple_of(n, 2)}, {"user.py", 5, ""});
  const Expr odd = binary(BinaryOp::Eq, binary(BinaryOp::Mod, n, number(2)), number(1));
  EXPECT_EQ(why(even, odd), "'n' runs from 1 to 64, and n % 2 == 0 is assumed at user.py:5");
}

TEST_F(Assume, RefusesWhatIsNotAffine) {
  const Expr square = binary(BinaryOp::Lt, binary(BinaryOp::Mul, n, n), number(100));
  EXPECT_THROW(assume(state, {square}, kLater), UnsupportedError);
}

TEST_F(Assume, RefusesNumbersThatACallCannotCompute) {
  const Expr large = binary(BinaryOp::Mul, n, number(std::int64_t{1} << 57));
  const auto report = refusal<ScheduleArgumentError>(
      [&] { assume(state, {binary(BinaryOp::Gt, large, number(5))}, kLater); });
  EXPECT_THAT(report.what, HasSubstr("becomes too large"));
  const Expr fits = binary(BinaryOp::Mul, n, number(std::int64_t{1} << 56));
  EXPECT_NO_THROW(assume(state, {binary(BinaryOp::Gt, fits, number(5))}, kLater));
}

}  // namespace
}  // namespace solway::schedule
