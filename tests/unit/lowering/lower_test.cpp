#include "lowering/lower.h"

#include <optional>

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "schedule/fuse.h"
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

/// B[i, j] = A[i, j] + A[i, j]; C[i, j] = B[i, j] + B[i, j]
struct TwoStages {
  dsl::Tensor a, b, c;

  TwoStages(std::int64_t rows, std::int64_t columns) {
    a = dsl::make_placeholder({rows, columns}, DType::Float32, "A", samples::at(1));
    b = twice(a, "B");
    c = twice(b, "C");
  }

  static dsl::Tensor twice(const dsl::Tensor& of, const std::string& name) {
    const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, of->shape[0], samples::at(2));
    const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, of->shape[1], samples::at(2));
    const auto read =
        dsl::make_read(of, {samples::value_of(i), samples::value_of(j)}, samples::at(2));
    return dsl::make_compute(of->shape, {i, j},
                             dsl::make_binary(BinaryOp::Add, read, read, samples::at(2)), name,
                             samples::at(2));
  }

  /// The memory of B in the kernel of `state`.
  std::string memory_of_b(const schedule::State& state,
                          const std::optional<CoreGroup>& cores) const {
    const std::string text =
        ir::to_string(lower(state, {a, c}, "k", {}, "panel", TransferDims::Merged, cores).kernel);
    const std::size_t begin = text.find("allocate B: ") + 12;
    return text.substr(begin, text.find(']', begin) + 1 - begin);
  }
  schedule::State plain() const { return schedule::make_state({c}, samples::at(5)); }
};

TEST(Lower, RowsOfStagesDoNotLieInTheSamePlacesOfACache) {
  const CoreGroup threads{CoreGroup::kAnyNumber, {}};
  const TwoStages far(8, 1024);
  EXPECT_EQ(far.memory_of_b(far.plain(), threads), "float32[8, 1040]");
  EXPECT_EQ(far.memory_of_b(far.plain(), std::nullopt), "float32[8, 1024]");
  EXPECT_EQ(far.memory_of_b(far.plain(), CoreGroup{64, {8, 8}}), "float32[8, 1024]");
  const TwoStages few(3, 1024);  // the cache keeps three
  EXPECT_EQ(few.memory_of_b(few.plain(), threads), "float32[3, 1024]");
  const TwoStages apart(8, 1000);
  EXPECT_EQ(apart.memory_of_b(apart.plain(), threads), "float32[8, 1000]");
}

TEST(Lower, RowsThatAFusedLoopGoesThroughStayTogether) {
  const CoreGroup threads{CoreGroup::kAnyNumber, {}};
  const TwoStages far(8, 1024);
  for (const char* stage : {"B", "C"}) {
    const schedule::State state = far.plain();
    const auto fused = schedule::fuse(state, stage, state.stage_loops.at(stage), samples::at(6));
    EXPECT_EQ(far.memory_of_b(fused.state, threads), "float32[8, 1024]");
  }
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
