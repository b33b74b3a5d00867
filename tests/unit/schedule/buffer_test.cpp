#include "schedule/buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/double_buffer.h"
#include "schedule/parallel.h"
#include "schedule/split.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::HasSubstr;

BufferResult read(const State& state, const std::string& tensor, const std::vector<LoopId>& loops,
                  LoopId at) {
  return buffer_read(state, request_for(tensor, loops, at), samples::at(9));
}

TEST(Buffer, KeepsTheLoopsOfNestedReductionsWhole) {
  // C = (sum over k of A) + A: the buffer of A stands before the initialisation, not between it
  // and the sum.
  const dsl::Tensor a = dsl::make_placeholder({6, 8}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 6, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 8, samples::at(2));
  const dsl::Expr read_a =
      dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, samples::at(2));
  const dsl::Expr first = dsl::make_read(
      a, {samples::value_of(i), dsl::make_int(0, DType::Int64, true, samples::at(2))},
      samples::at(2));
  const dsl::Tensor c = dsl::make_compute(
      {6}, {i},
      dsl::make_binary(BinaryOp::Add, dsl::make_reduce(ReduceOp::Sum, read_a, {k}, samples::at(2)),
                       first, samples::at(2)),
      "C", samples::at(2));
  const State state = make_state({c}, samples::at(3));
  BufferRequest request = request_for("A", {}, state.stage_loops.at("C")[0]);
  request.region.reset();
  const BufferResult r = buffer_read(state, request, samples::at(4));
  EXPECT_THAT(placements_of(r.state), ElementsAre("C_r0_init: i", "AA_get_issue: i",
                                                  "AA_get_complete: i", "C_r0: i k", "C: i"));
}

TEST(Buffer, TheValueOfANestedReductionStaysInNearMemory) {
  const samples::NestedMatmul nested(6, 8, 4);
  const State state = make_state({nested.d}, samples::at(6));
  BufferRequest request = request_for("D_r0", {}, state.stage_loops.at("D")[0]);
  request.stage = "D";
  request.region.reset();
  const BufferResult r = buffer_write(state, request, samples::at(9));
  EXPECT_THAT(placements_of(r.state), ElementsAre("D_r0_init: x y", "D_r0: x y k", "D: x y"));
  EXPECT_THAT(r.state.program->array(r.buffer).shape, ElementsAre(8));
  EXPECT_FALSE(r.state.program->statement("D").reads_from("D_r0"));
}

TEST(Buffer, ARegionNamesTheLoopsOfSeveralNests) {
  // C = (sum over k of A[k]) * (sum over j of A[j])
  const dsl::Tensor a = dsl::make_placeholder({8}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 6, samples::at(2));
  const auto sum = [&](const std::string& name) {
    const dsl::Axis k = dsl::make_axis(name, dsl::AxisKind::Reduce, 0, 8, samples::at(2));
    return dsl::make_reduce(ReduceOp::Sum,
                            dsl::make_read(a, {samples::value_of(k)}, samples::at(2)), {k},
                            samples::at(2));
  };
  const dsl::Expr product = dsl::make_binary(BinaryOp::Mul, sum("k"), sum("j"), samples::at(2));
  const dsl::Tensor c = dsl::make_compute({6}, {i}, product, "C", samples::at(2));
  const State state = make_state({c}, samples::at(3));
  const std::vector<LoopId>& loops = state.stage_loops.at("C");  // i, k, j
  const BufferResult r = read(state, "A", {loops[1], loops[2]}, loops[0]);
  EXPECT_FALSE(r.state.program->statement("C_r0").reads_from("A"));
  EXPECT_FALSE(r.state.program->statement("C_r1").reads_from("A"));
}

TEST(Buffer, SplittingALoopOutsideKeepsTheTransfers) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = read(m.state, "A", {m.ki}, m.ko);
  const SplitResult again = split(r.state, "C", m.ko, 2, samples::at(10));
  EXPECT_EQ(placements_of(again.state)[1], "AA_get_issue: x y.o k.o.o k.o.i");
}

TEST(Buffer, WhatOnePlaceLoadsIsAskedForTogether) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult a = read(m.state, "A", {m.ki}, m.ko);
  const BufferResult both = read(a.state, "B", {m.ki, m.yi}, m.ko);
  EXPECT_THAT(placements_of(both.state),
              ElementsAre("C_init: x y.o y.i", "AA_get_issue: x y.o k.o", "BB_get_issue: x y.o k.o",
                          "AA_get_complete: x y.o k.o", "BB_get_complete: x y.o k.o",
                          "C: x y.o k.o y.i k.i"));
}

TEST(Buffer, WhatIsNeededNowIsAskedForBeforeWhatIsNeededLater) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto expected = ElementsAre("C_init: x y.o y.i", "AA_get_issue: x y.o k.o",
                                    "BB_get_issue: x y.o k.o", "BB_get_complete: x y.o k.o",
                                    "AA_get_complete: x y.o k.o", "C: x y.o k.o y.i k.i");
  const BufferResult b = read(m.state, "B", {m.ki, m.yi}, m.ko);
  const State ahead = double_buffer(b.state, "BB", samples::at(10));
  EXPECT_THAT(placements_of(read(ahead, "A", {m.ki}, m.ko).state), expected);
  const BufferResult both = read(b.state, "A", {m.ki}, m.ko);
  EXPECT_THAT(placements_of(double_buffer(both.state, "BB", samples::at(11))), expected);
}

TEST(Buffer, WhatAnotherLoopLoadsIsNot) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult a = read(m.state, "A", {m.ko, m.ki}, m.yo);
  const BufferResult both = read(a.state, "B", {m.ki, m.yi}, m.ko);
  EXPECT_THAT(
      placements_of(both.state),
      ElementsAre("C_init: x y.o y.i", "AA_get_issue: x y.o", "AA_get_complete: x y.o",
                  "BB_get_issue: x y.o k.o", "BB_get_complete: x y.o k.o", "C: x y.o k.o y.i k.i"));
}

TEST(Buffer, RefusesWhatDoesNotFit) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto what = [&](const std::string& tensor, const std::vector<LoopId>& loops, LoopId at) {
    return refusal<ScheduleArgumentError>([&] { read(m.state, tensor, loops, at); }).what;
  };
  EXPECT_EQ(what("B", {m.yi}, m.yo), "buffer(B): 'B' also varies with 'k.o'");
  EXPECT_EQ(what("B", {m.yo}, m.yo), "buffer(B): 'y.o' does not lie inside the buffer");
  EXPECT_EQ(what("A", {m.yi}, m.yo), "buffer(A): 'y.i' indexes no dimension of 'A'");
  EXPECT_EQ(what("Z", {m.yi}, m.yo), "buffer(Z): 'C' does not read 'Z'");
}

TEST(Buffer, RefusesASecondBufferOfOneTensor) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = read(m.state, "A", {m.ki}, m.ko);
  const auto report = refusal<ScheduleArgumentError>([&] { read(r.state, "A", {m.ki}, m.ko); });
  EXPECT_EQ(report.what, "buffer(A): 'A' has a buffer already");
}

TEST(Buffer, IsNotDecidedWithoutABudget) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("A", {m.ki}, m.ko);
  for (const unsigned long budget : {1UL, 100UL, 10000UL}) {
    request.budget = budget;
    const auto report =
        refusal<AnalysisBudgetError>([&] { buffer_read(m.state, request, samples::at(9)); });
    EXPECT_EQ(report.what, "buffer(A) is not decided") << budget;
  }
  request.budget = kProgramBudget;
  EXPECT_NO_THROW(buffer_read(m.state, request, samples::at(9)));
}

TEST(Buffer, RefusesToServeSeveralCores) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  const State parallel_x = parallel(m.state, "C", m.lx, samples::at(9));
  const auto report = refusal<IllegalScheduleError>([&] {
    BufferRequest request = request_for("B", {}, -1);
    request.region.reset();
    buffer_read(parallel_x, request, samples::at(10));
  });
  EXPECT_THAT(report.what, HasSubstr("BB"));
}

}  // namespace
}  // namespace solway::schedule
