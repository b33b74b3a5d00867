#include "schedule/reverse.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Reverse, RunsFromTheLastToTheFirst) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(m.printed(reverse(m.state, "C", m.ly, samples::at(9))), R"(  for x in [0, 2) {
    for y in [0, 3) {
      C[x, ((y * -1) + 2)] = 0.0f32
      for k in [0, 4) {
        C[x, ((y * -1) + 2)] = (C[x, ((y * -1) + 2)] + (A[x, k] * B[k, ((y * -1) + 2)]))
      }
    }
  }
}
)");
}

TEST(Reverse, TwiceChangesNothing) {
  const ScheduledMatmul m(2, 3, 4);
  const State once = reverse(m.state, "C", m.lk, samples::at(9));
  EXPECT_NE(m.printed(once), m.printed(m.state));
  EXPECT_EQ(m.printed(reverse(once, "C", m.lk, samples::at(9))), m.printed(m.state));
}

TEST(Reverse, RefusesToTurnADependence) {
  const State state = testing::make_state(prefix_sum_sample(5));
  const LoopId i = state.stage_loops.at("S").front();
  const auto r = refusal<IllegalScheduleError>([&] { reverse(state, "S", i, samples::at(9)); });
  EXPECT_EQ(r.what, "reverse(l0) would run S[d0=2] before S[d0=1], which it reads");
  EXPECT_EQ(r.where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
