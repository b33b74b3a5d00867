#include "schedule/micro_kernel.h"

#include <gmock/gmock.h>

#include "dsl/tensor.h"
#include "schedule/reorder.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::ScheduledMatmul;

TEST(MicroKernel, IsTheProductOfTheLoops) {
  const ScheduledMatmul m(6, 4, 8);
  const SplitResult tiles = split(m.state, "C", m.lk, 4, samples::at(6));
  const auto found = micro_kernel_of(tiles.state, tiles.inner, {"tensorize", {}});
  EXPECT_EQ(found->name, "micro_kernel_1x1x4");
  EXPECT_TRUE(found->is_micro_kernel);
  EXPECT_TRUE(found->code.empty());
  EXPECT_EQ(found->tensor->reduce_axis[0]->extent(), 4);
}

TEST(MicroKernel, PutsACallWithItsExtentsInPlaceOfTheLoops) {
  const ScheduledMatmul m(6, 4, 8);
  const SplitResult tiles = split(m.state, "C", m.lk, 4, samples::at(6));
  const State inside =
      reorder(tiles.state, "C", {tiles.outer, m.lx, m.ly, tiles.inner}, samples::at(7));
  const State state = tensorize_micro_kernel(inside, "C", m.lx, samples::at(8));
  EXPECT_THAT(m.printed(state), HasSubstr("call micro_kernel_6x4x4(C = C[0, 0] by (4, 1), "
                                          "A = A[0, (k_o * 4)] by (8, 1), "
                                          "B = B[(k_o * 4), 0] by (4, 1))"));
}

TEST(MicroKernel, MoreLoopsThatAddUpAreRounds) {
  const ScheduledMatmul m(6, 4, 24);
  const SplitResult outer = split(m.state, "C", m.lk, 4, samples::at(6));
  const SplitResult inner = split(outer.state, "C", outer.outer, 2, samples::at(7));
  const State inside = reorder(inner.state, "C",
                               {inner.outer, m.lx, m.ly, inner.inner, outer.inner}, samples::at(8));
  const State state = tensorize_micro_kernel(inside, "C", m.lx, samples::at(9));
  EXPECT_THAT(m.printed(state), HasSubstr("call micro_kernel_6x4x2x4(C = C[0, 0] by (4, 1), "
                                          "A = A[0, (k_o_o * 8)] by (24, 4, 1), "
                                          "B = B[(k_o_o * 8), 0] by (16, 4, 1))"));
}

TEST(MicroKernel, LeavesAnInitialisationInsideToTheProof) {
  const ScheduledMatmul m(6, 4, 8);
  const SplitResult tiles = split(m.state, "C", m.lx, 2, samples::at(6));
  const Error::Report report = refusal<ScheduleArgumentError>(
      [&] { tensorize_micro_kernel(tiles.state, "C", tiles.inner, samples::at(7)); });
  EXPECT_THAT(report.what, HasSubstr("runs 2 statements"));
}

}  // namespace
}  // namespace solway::schedule
