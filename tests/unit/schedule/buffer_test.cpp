#include "schedule/buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "schedule/mark_loop.h"
#include "schedule/split.h"
#include "support/isl_ext.h"

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

BufferResult write(const State& state, const std::vector<LoopId>& loops, LoopId at) {
  return buffer_write(state, request_for("C", loops, at), samples::at(9));
}

TEST(BufferRead, PutsAnIssueAndAWaitBeforeTheFirstReader) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  const BufferResult r = read(m.state, "B", {m.ki, m.yi}, m.ko);
  EXPECT_EQ(r.buffer, "BB");
  EXPECT_THAT(placements_of(r.state),
              ElementsAre("C_init: x y.o y.i", "BB_get_issue: x y.o k.o",
                          "BB_get_complete: x y.o k.o", "C: x y.o k.o y.i k.i"));
  const Array& array = r.state.program->array("BB");
  EXPECT_EQ(array.kind, ArrayKind::Buffer);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{64, 128}));
  EXPECT_THAT(r.state.program->buffers.at("BB").dim_names, ElementsAre("k.i", "y.i"));
  EXPECT_EQ(r.state.log.back().buffer, "BB");
  // The state before is untouched.
  EXPECT_EQ(m.state.program->buffers.size(), 0U);
  EXPECT_EQ(r.state.original, m.state.original);
}

TEST(BufferWrite, RefusesToStoreMoreThanWasComputed) {
  const ScheduledMatmul m(2, 3, 4);
  const FuseResult fused = fuse(m.state, "C", {m.lx, m.ly}, samples::at(7));
  const SplitResult s = split(fused.state, "C", fused.fused, 4, samples::at(8));
  const auto r = refusal<UnsupportedError>([&] {  // four elements of rows of three
    buffer_write(s.state, request_for("C", {s.inner}, s.outer), samples::at(9));
  });
  EXPECT_THAT(r.what, HasSubstr("is not a box"));
}

TEST(BufferRead, ReadersIndexTheBuffer) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = read(m.state, "A", {m.ki}, m.ko);
  const isl::map relation = r.state.program->statement("C").reads[1].relation;
  const isl::map expected(
      relation.ctx(), "{ C[x, y, k] -> AA[k mod 3] : 0 <= x < 2 and 0 <= y < 8 and 0 <= k < 6 }");
  EXPECT_TRUE(relation.is_equal(expected)) << isl_ext::to_string(relation);
}

TEST(BufferRead, FollowsTheLayout) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {m.ki, m.yi}, m.ko);
  request.layout = {1, 0};
  const BufferResult r = buffer_read(m.state, request, samples::at(9));
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{4, 3}));
  EXPECT_THAT(r.state.program->buffers.at("BB").dim_names, ElementsAre("y.i", "k.i"));
}

TEST(BufferRead, WithoutARegionHoldsWhatTheLoopsInsideTouch) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {}, m.yo);
  request.region.reset();
  const BufferResult r = buffer_read(m.state, request, samples::at(9));
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{6, 4}));
}

TEST(BufferWrite, OfAWholeReductionInitialisesInTheBuffer) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  const BufferResult r = write(m.state, {m.yi}, m.yo);
  EXPECT_THAT(placements_of(r.state), ElementsAre("C_init: x y.o y.i", "C: x y.o k.o y.i k.i",
                                                  "CC_put_issue: x y.o", "CC_put_complete: x y.o"));
  EXPECT_EQ(isl_ext::tuple_name(r.state.program->statement("C_init").writes[0].relation,
                                isl_ext::Dim::Range),
            "CC");
}

TEST(BufferWrite, OfAPartOfAReductionLoadsFirst) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = write(m.state, {m.yi}, m.ko);
  EXPECT_THAT(
      placements_of(r.state),
      ElementsAre("C_init: x y.o y.i", "CC_get_issue: x y.o k.o", "CC_get_complete: x y.o k.o",
                  "C: x y.o k.o y.i k.i", "CC_put_issue: x y.o k.o", "CC_put_complete: x y.o k.o"));
}

TEST(BufferWrite, StoresExactlyWhatAPartialTileComputed) {
  const TiledMatmul m(1, 10, 6, 4, 3);
  const BufferResult r = write(m.state, {m.yi}, m.yo);
  const isl::map stored = r.state.program->statement("CC_put_issue").writes[0].relation;
  const isl::map expected(stored.ctx(),
                          "{ CC_put_issue[0, yo] -> C[0, y] : 0 <= yo < 3 and "
                          "4yo <= y < 4yo + 4 and y < 10 }");
  EXPECT_TRUE(stored.is_equal(expected)) << isl_ext::to_string(stored);
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

TEST(Buffer, SplittingALoopOutsideKeepsTheTransfers) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = read(m.state, "A", {m.ki}, m.ko);
  const SplitResult again = split(r.state, "C", m.ko, 2, samples::at(10));
  EXPECT_EQ(placements_of(again.state)[1], "AA_get_issue: x y.o k.o.o k.o.i");
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
