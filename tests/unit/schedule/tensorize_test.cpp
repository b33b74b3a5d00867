#include "schedule/tensorize.h"

#include <gmock/gmock.h>

#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::refusal;
using testing::ScheduledMatmul;

/// A matmul of these sizes as an intrinsic.
std::shared_ptr<const Intrinsic> gemm(std::int64_t m, std::int64_t n, std::int64_t depth) {
  const samples::Matmul own(m, n, depth);
  return std::make_shared<const Intrinsic>(
      Intrinsic{"gemm", own.c, {{"c", "/* code */"}}, samples::at(3)});
}

TEST(Tensorize, FindsTheStepsOfEachOperand) {
  const ScheduledMatmul m(6, 4, 8);
  const SplitResult tiles = split(m.state, "C", m.lk, 4, samples::at(6));
  const IntrinsicMatch match =
      match_intrinsic(tiles.state, tiles.inner, *gemm(1, 1, 4), {"tensorize(k.i, gemm)", {}});
  EXPECT_EQ(match.statement, "C");
  ASSERT_EQ(match.operands.size(), 3U);
  EXPECT_EQ(match.operands[0].name, "C");
  EXPECT_FALSE(match.operands[0].read.has_value());
  EXPECT_EQ(match.operands[1].name, "A");
  EXPECT_THAT(match.operands[1].steps, ElementsAre(ElementsAre(0, 0), ElementsAre(0, 1)));
  EXPECT_EQ(match.operands[2].name, "B");
  EXPECT_THAT(match.operands[2].steps, ElementsAre(ElementsAre(1, 0), ElementsAre(0, 0)));
}

TEST(Tensorize, PutsACallInPlaceOfTheLoops) {
  const ScheduledMatmul m(6, 4, 8);
  const SplitResult tiles = split(m.state, "C", m.lk, 4, samples::at(6));
  const State state = tensorize(tiles.state, "C", tiles.inner, gemm(1, 1, 4), samples::at(7));
  EXPECT_THAT(m.printed(state), HasSubstr("call gemm(C = C[x, y] by (0, 0), "
                                          "A = A[x, (k_o * 4)] by (0, 1), "
                                          "B = B[(k_o * 4), y] by (4, 0))"));
}

TEST(Tensorize, RefusesAnotherExtent) {
  const ScheduledMatmul m(6, 4, 8);
  const Error::Report report = refusal<ScheduleArgumentError>(
      [&] { tensorize(m.state, "C", m.lk, gemm(1, 1, 4), samples::at(6)); });
  EXPECT_THAT(report.what, HasSubstr("the extents differ"));
  EXPECT_THAT(report.why, HasSubstr("k of 8"));
}

TEST(Tensorize, RefusesAnInitialisationInside) {
  const ScheduledMatmul m(6, 4, 8);
  const Error::Report report = refusal<ScheduleArgumentError>(
      [&] { tensorize(m.state, "C", m.ly, gemm(1, 4, 8), samples::at(6)); });
  EXPECT_THAT(report.what, HasSubstr("runs 2 statements"));
}

TEST(Tensorize, RefusesTilesThatAreNotFull) {
  const ScheduledMatmul m(2, 2, 10);
  const SplitResult tiles = split(m.state, "C", m.lk, 4, samples::at(6));
  const Error::Report report = refusal<ScheduleArgumentError>(
      [&] { tensorize(tiles.state, "C", tiles.inner, gemm(1, 1, 4), samples::at(7)); });
  EXPECT_THAT(report.what, HasSubstr("its loops are not full everywhere"));
  EXPECT_THAT(report.why, HasSubstr("k.o=2, k.i=2"));
}

/// R[i] = left[0] op right[i] of four elements, or left[i] op right[0].
dsl::Tensor of_one_and_all(BinaryOp op, const std::string& left, const std::string& right,
                           bool all_on_the_right) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const auto read = [&](const std::string& name, bool is_all) {
    const dsl::Tensor tensor = dsl::make_placeholder({4}, DType::Float32, name, samples::at(1));
    const dsl::Expr zero = dsl::make_int(0, DType::Int64, true, samples::at(2));
    return dsl::make_read(tensor, {is_all ? samples::value_of(i) : zero}, samples::at(2));
  };
  const dsl::Expr body = dsl::make_binary(op, read(left, !all_on_the_right),
                                          read(right, all_on_the_right), samples::at(2));
  return dsl::make_compute({4}, {i}, body, "R", samples::at(2));
}

TEST(Tensorize, ExchangesOperandsOnlyWhereTheOperatorAllowsIt) {
  for (const BinaryOp op : {BinaryOp::Add, BinaryOp::Mul, BinaryOp::Max, BinaryOp::Sub}) {
    const State state = make_state({of_one_and_all(op, "A", "B", true)}, samples::at(3));
    const auto intrinsic = std::make_shared<const Intrinsic>(Intrinsic{
        "row", of_one_and_all(op, "X", "Y", false), {{"c", "/* code */"}}, samples::at(4)});
    const LoopId loop = state.stage_loops.at("R")[0];
    const auto match = [&] { return match_intrinsic(state, loop, *intrinsic, {"tensorize", {}}); };
    if (op == BinaryOp::Sub) {
      EXPECT_THROW(match(), ScheduleArgumentError);
      continue;
    }
    const IntrinsicMatch found = match();
    ASSERT_EQ(found.operands.size(), 3U);
    EXPECT_EQ(found.operands[1].name, "X");
    EXPECT_EQ(found.operands[1].read, 1U);  // B[i]
    EXPECT_THAT(found.operands[1].steps, ElementsAre(ElementsAre(1)));
    EXPECT_EQ(found.operands[2].read, 0U);  // A[0]
  }
}

/// R[i] = name[i + places] of four elements.
dsl::Tensor shifted(const std::string& name, std::int64_t places) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const dsl::Tensor tensor = dsl::make_placeholder({8}, DType::Float32, name, samples::at(1));
  const dsl::Expr at =
      dsl::make_binary(BinaryOp::Add, samples::value_of(i),
                       dsl::make_int(places, DType::Int64, true, samples::at(2)), samples::at(2));
  return dsl::make_compute({4}, {i}, dsl::make_read(tensor, {at}, samples::at(2)), "R",
                           samples::at(2));
}

TEST(Tensorize, ElementZeroLiesBeforeWhatTheIntrinsicReadsFirst) {
  const State state = make_state({shifted("A", 3)}, samples::at(3));
  const Intrinsic intrinsic{"row", shifted("X", 2), {{"c", "/* code */"}}, samples::at(4)};
  const IntrinsicMatch match =
      match_intrinsic(state, state.stage_loops.at("R")[0], intrinsic, {"tensorize", {}});
  ASSERT_EQ(match.operands.size(), 2U);
  EXPECT_THAT(match.operands[1].offset, ElementsAre(-2));  // X[2] is A[3]
  EXPECT_THAT(match.operands[0].offset, ElementsAre(0));
}

}  // namespace
}  // namespace solway::schedule
