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

}  // namespace
}  // namespace solway::schedule
