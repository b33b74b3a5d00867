#include "schedule/compute_inline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using testing::refusal;

dsl::Expr binary(BinaryOp op, const dsl::Expr& a, const dsl::Expr& b) {
  return dsl::make_binary(op, a, b, samples::at(2));
}

std::string printed(const State& s, const std::vector<dsl::Tensor>& args) {
  const std::string all = ir::to_string(lowering::lower(s, args, "k", {}).kernel);
  return all.substr(all.find('\n') + 1);
}

TEST(ComputeInline, PutsTheExpressionInPlaceOfEachRead) {
  const samples::Pipeline program(4);
  const State state = compute_inline(make_state({program.c}, samples::at(5)), "P", samples::at(6));
  EXPECT_EQ(printed(state, {program.a, program.c}),
            "  for i in [0, 4) {\n"
            "    C[i] = ((A[i] + A[(i + 1)]) * (A[(i + 1)] + A[(i + 2)]))\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(state.program->arrays.count("P"), 0U);
  EXPECT_TRUE(state.stage_loops.at("P").empty());
  EXPECT_EQ(state.log.back().primitive, "compute_inline");
}

/// P[i] = A[i] * i; Q[i] = P[i] + P[3]; C[i] = select(i > 0, Q[i - 1], 0).
struct Chain {
  dsl::Tensor a, p, q, c;
  Chain() {
    const auto axis = [](std::int64_t n) {
      return dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, samples::at(2));
    };
    const auto number = [](std::int64_t n) {
      return dsl::make_int(n, DType::Int64, true, samples::at(2));
    };
    a = dsl::make_placeholder({5}, DType::Int64, "A", samples::at(1));
    const dsl::Axis pi = axis(5), qi = axis(5), ci = axis(6);
    const auto at = [](const dsl::Tensor& t, const dsl::Expr& i) {
      return dsl::make_read(t, {i}, samples::at(2));
    };
    using samples::value_of;
    p = dsl::make_compute({5}, {pi}, binary(BinaryOp::Mul, at(a, value_of(pi)), value_of(pi)), "P",
                          samples::at(2));
    q = dsl::make_compute({5}, {qi}, binary(BinaryOp::Add, at(p, value_of(qi)), at(p, number(3))),
                          "Q", samples::at(3));
    const dsl::Expr before = binary(BinaryOp::Sub, value_of(ci), number(1));
    c = dsl::make_compute({6}, {ci},
                          dsl::make_select(binary(BinaryOp::Gt, value_of(ci), number(0)),
                                           at(q, before), number(0), samples::at(4)),
                          "C", samples::at(4));
  }
};

TEST(ComputeInline, OfAChainInEitherOrder) {
  const Chain chain;
  const std::string expected =
      "  for i in [0, 6) {\n"
      "    C[i] = select((i > 0), ((A[(i + -1)] * (i + -1)) + (A[3] * 3)), 0)\n"
      "  }\n"
      "}\n";
  for (const auto& [first, second] : {std::pair{"P", "Q"}, std::pair{"Q", "P"}}) {
    State state = make_state({chain.c}, samples::at(5));
    state = compute_inline(compute_inline(state, first, samples::at(6)), second, samples::at(7));
    EXPECT_EQ(printed(state, {chain.a, chain.c}), expected);
  }
}

TEST(ComputeInline, LeavesTheLoopsOfTheReadersAsTheyAre) {
  const Chain chain;
  State state = make_state({chain.c}, samples::at(5));
  const SplitResult tiled = split(state, "Q", state.stage_loops.at("Q")[0], 2, samples::at(6));
  state = compute_inline(tiled.state, "P", samples::at(7));
  EXPECT_EQ(state.stage_loops.at("Q"), (std::vector<LoopId>{tiled.outer, tiled.inner}));
  EXPECT_EQ(state.program->statement("Q").inlined.size(), 2U);
  state = split(state, "Q", tiled.inner, 2, samples::at(8)).state;
}

TEST(ComputeInline, RefusesWhatNoExpressionHolds) {
  const testing::ScheduledMatmul matmul(4, 4, 4);
  const auto axis = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(6));
  const auto use = dsl::make_compute(
      {4}, {axis},
      dsl::make_read(matmul.c, {samples::value_of(axis), samples::value_of(axis)}, samples::at(6)),
      "D", samples::at(6));
  const State state = make_state({use}, samples::at(7));
  const auto of = [&](const State& s, const std::string& stage) {
    return refusal<ScheduleArgumentError>([&] { compute_inline(s, stage, samples::at(8)); });
  };
  EXPECT_EQ(of(state, "C").what, "compute_inline() of 'C': it is a reduction");
  EXPECT_EQ(of(state, "D").what, "compute_inline() of 'D': it is an output");
  EXPECT_EQ(of(state, "D").where.line, 8);
}

TEST(ComputeInline, RefusesAStageThatABufferDependsOn) {
  const samples::Pipeline program(8);
  State state = make_state({program.c}, samples::at(5));
  BufferRequest request;
  request.stage = "C";
  request.tensor = "P";
  request.text = "buffer_read(P)";
  state = buffer_read(state, request, samples::at(6)).state;
  const auto report =
      refusal<ScheduleArgumentError>([&] { compute_inline(state, "P", samples::at(7)); });
  EXPECT_THAT(report.why, HasSubstr("buffer_read(P) at user.py:6 made 'PP'"));
}

TEST(ComputeInline, ALoopThatIsGoneSaysWhatTookIt) {
  const samples::Pipeline program(8);
  const State before = make_state({program.c}, samples::at(5));
  const LoopId loop = before.stage_loops.at("P")[0];
  const State state = compute_inline(before, "P", samples::at(6));
  const auto report =
      refusal<ScheduleArgumentError>([&] { split(state, "P", loop, 2, samples::at(7)); });
  EXPECT_EQ(report.why, "compute_inline() of 'P' at user.py:6 took it away");
}

TEST(ComputeInline, ASecondTimeIsRefused) {
  const samples::Pipeline program(8);
  const State state = compute_inline(make_state({program.c}, samples::at(5)), "P", samples::at(6));
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { compute_inline(state, "P", samples::at(7)); }).what,
      "compute_inline() of 'P': it is inlined already");
}

}  // namespace
}  // namespace solway::schedule
