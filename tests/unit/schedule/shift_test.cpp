#include "schedule/shift.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Shift, MovesTheRange) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = shift(m.state, "C", m.ly, -2, samples::at(9));
  EXPECT_EQ(m.printed(s), R"(  for x in [0, 2) {
    for y in [-2, 1) {
      C[x, (y + 2)] = 0.0f32
      for k in [0, 4) {
        C[x, (y + 2)] = (C[x, (y + 2)] + (A[x, k] * B[k, (y + 2)]))
      }
    }
  }
}
)");
  EXPECT_EQ(s.log.back().primitive, "shift");
}

TEST(Shift, ByNothingChangesNothing) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(m.printed(shift(m.state, "C", m.ly, 0, samples::at(9))), m.printed(m.state));
}

TEST(Shift, ALoopOfOneIteration) {
  const ScheduledMatmul m(1, 3, 4);
  const std::string text = m.printed(shift(m.state, "C", m.lx, 5, samples::at(9)));
  EXPECT_NE(text.find("for x in [5, 6) {"), std::string::npos) << text;
  EXPECT_NE(text.find("C[0, y] = 0.0f32"), std::string::npos) << text;
}

TEST(Shift, RefusesWhatLeavesTheIntegers) {
  const ScheduledMatmul m(2, 3, 4);
  for (const std::int64_t distance : {INT64_MAX, INT64_MIN}) {
    const auto r = refusal<ScheduleArgumentError>(
        [&] { shift(m.state, "C", m.ly, distance, samples::at(9)); });
    EXPECT_NE(r.what.find("the values of 'y' become too large"), std::string::npos) << r.what;
    EXPECT_EQ(r.where.line, 9);
  }
}

}  // namespace
}  // namespace solway::schedule
