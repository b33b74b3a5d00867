#include "lowering/lower.h"

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering {
namespace {

std::string lowered(const samples::Matmul& m) {
  const schedule::State state = schedule::make_state({m.c}, samples::at(5));
  return ir::to_string(lower(state, {m.a, m.b, m.c}, "k", {}).kernel);
}

TEST(Lower, AllocatesWhatIsNoArgument) {
  const samples::Pipeline p(4);
  const schedule::State state = schedule::make_state({p.c}, samples::at(5));
  const std::string text = ir::to_string(lower(state, {p.a, p.c}, "k", {}).kernel);
  EXPECT_NE(text.find("P: float32[5]"), std::string::npos) << text;
  EXPECT_NE(text.find("P[i] = (A[i] + A[(i + 1)])"), std::string::npos) << text;
  EXPECT_NE(text.find("C[i] = (P[i] * P[(i + 1)])"), std::string::npos) << text;
}

TEST(Lower, TellsLoopsApartByTheirVariables) {
  const samples::Pipeline p(4);
  const schedule::State state = schedule::make_state({p.c}, samples::at(5));
  const schedule::LoopId last = state.stage_loops.at("C")[0];
  const Lowered out = lower(state, {p.a, p.c}, "k", {}, "panel", TransferDims::Merged, {},
                            Statements::BesideLoops, {last});
  EXPECT_EQ(out.told_apart, (std::map<std::string, schedule::LoopId>{{"i_1", last}}));
  const std::string text = ir::to_string(out.kernel);
  EXPECT_NE(text.find("for i in "), std::string::npos) << text;
  EXPECT_NE(text.find("C[i_1] = (P[i_1] * P[(i_1 + 1)])"), std::string::npos) << text;
}

TEST(Lower, KeepsLoopsOfOneIterationAroundABlock) {
  EXPECT_EQ(lowered({2, 1, 3}),
            R"(kernel k(in A: float32[2, 3], in B: float32[3, 1], out C: float32[2, 1]) {
  for x in [0, 2) {
    for y in [0, 1) {
      C[x, y] = 0.0f32
      for k in [0, 3) {
        C[x, y] = (C[x, y] + (A[x, k] * B[k, y]))
      }
    }
  }
}
)");
}

TEST(Lower, EmptyExtents) {
  EXPECT_EQ(lowered({0, 3, 2}),
            "kernel k(in A: float32[0, 2], in B: float32[2, 3], out C: float32[0, 3]) {\n}\n");
  const std::string initialised = lowered({2, 3, 0});
  EXPECT_NE(initialised.find("C[x, y] = 0.0f32"), std::string::npos);
  EXPECT_EQ(initialised.find("for k"), std::string::npos);
}

TEST(Lower, NamesLoopsAsTheScheduleDoes) {
  const samples::Matmul m(2, 8, 3);
  const schedule::State state = schedule::make_state({m.c}, samples::at(5));
  const auto y = state.stage_loops.at("C")[1];
  const schedule::State split = schedule::split(state, "C", y, 4, samples::at(6)).state;
  EXPECT_EQ(lower(split, {m.a, m.b, m.c}, "k", {}).loop_names.at("y_o"), "y.o");
}

TEST(Lower, RefusesArgumentsThatDoNotFit) {
  const samples::Matmul m(2, 3, 4);
  const schedule::State state = schedule::make_state({m.c}, samples::at(5));
  const auto what = [&](const std::vector<dsl::Tensor>& args) -> std::string {
    try {
      lower(state, args, "k", samples::at(9));
    } catch (const ArgumentMismatchError& e) {
      EXPECT_EQ(e.report().where.line, 9);
      return e.report().what;
    }
    return "accepted";
  };
  EXPECT_EQ(what({m.a, m.c}), "the arguments do not fit: 'B' is missing");
  EXPECT_EQ(what({m.a, m.b, m.c, m.a}), "the arguments do not fit: 'A' is named twice");
  EXPECT_EQ(what({m.a, m.b, m.c, samples::Pipeline(4).a}),
            "the arguments do not fit: 'A' is not a tensor of this schedule");
}

}  // namespace
}  // namespace solway::lowering
