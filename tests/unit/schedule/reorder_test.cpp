#include "schedule/reorder.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Reorder, TheInitialisationStaysBeforeTheReduction) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(m.printed(reorder(m.state, "C", {m.lk, m.lx}, samples::at(9))),
            R"(  for y in [0, 3) {
    for x in [0, 2) {
      C[x, y] = 0.0f32
    }
  }
  for k in [0, 4) {
    for y in [0, 3) {
      for x in [0, 2) {
        C[x, y] = (C[x, y] + (A[x, k] * B[k, y]))
      }
    }
  }
}
)");
}

TEST(Reorder, TheSameOrderChangesNothing) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(m.printed(reorder(m.state, "C", {m.lx, m.lk}, samples::at(9))), m.printed(m.state));
}

TEST(Reorder, RefusesAnAxisNamedTwice) {
  const ScheduledMatmul m(2, 3, 4);
  const auto r = refusal<ScheduleArgumentError>([&] {
    reorder(m.state, "C", {m.lx, m.lx}, samples::at(9));
  });
  EXPECT_EQ(r.what, "reorder(x, x): axis 'x' is named twice");
  EXPECT_EQ(r.why, "each axis has one place");
  EXPECT_EQ(r.where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
