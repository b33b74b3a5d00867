#include "schedule/mark_loop.h"

#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(MarkLoop, PrintsTheKindOfTheLoop) {
  const ScheduledMatmul m(2, 3, 4);
  State s = parallel(m.state, "C", m.lx, samples::at(9));
  s = vectorize(s, "C", m.ly, samples::at(9));
  s = unroll(s, "C", m.lk, samples::at(9));
  EXPECT_EQ(m.printed(s), R"(  for x in [0, 2) parallel {
    for y in [0, 3) vectorized {
      C[x, y] = 0.0f32
      for k in [0, 4) unrolled {
        C[x, y] = (C[x, y] + (A[x, k] * B[k, y]))
      }
    }
  }
}
)");
}

TEST(MarkLoop, ALoopOfOneIterationKeepsItsMark) {
  const ScheduledMatmul m(2, 1, 3);
  const std::string text = m.printed(parallel(m.state, "C", m.ly, samples::at(9)));
  EXPECT_NE(text.find("for y in [0, 1) parallel {"), std::string::npos) << text;
}

TEST(MarkLoop, RefusesASecondMark) {
  const ScheduledMatmul m(2, 3, 4);
  const State marked = unroll(m.state, "C", m.ly, samples::at(9));
  const auto twice =
      refusal<ScheduleArgumentError>([&] { vectorize(marked, "C", m.ly, samples::at(10)); });
  EXPECT_EQ(twice.why, "it is unrolled since user.py:9");
  EXPECT_EQ(twice.where.line, 10);
}

}  // namespace
}  // namespace solway::schedule
