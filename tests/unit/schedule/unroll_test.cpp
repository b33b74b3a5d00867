#include "schedule/unroll.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Unroll, IsLegalForEveryLoop) {
  const ScheduledMatmul m(2, 3, 4);
  State s = m.state;
  for (const LoopId loop : {m.lx, m.ly, m.lk}) s = unroll(s, "C", loop, samples::at(9));
  for (const LoopId loop : {m.lx, m.ly, m.lk}) {
    EXPECT_EQ(s.order.loop(loop).mark, LoopMark::Unrolled);
  }
  EXPECT_EQ(s.log.size(), 3U);
}

}  // namespace
}  // namespace solway::schedule
