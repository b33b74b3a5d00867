#include "schedule/bind.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Bind, PutsALoopOnOneDimension) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = bind(m.state, "C", m.lx, "row", samples::at(9));
  EXPECT_EQ(s.order.loop(m.lx).mark, LoopMark::Parallel);
  EXPECT_EQ(s.order.loop(m.lx).hardware, "row");
  EXPECT_EQ(s.log.back().primitive, "bind");
  const auto again =
      refusal<ScheduleArgumentError>([&] { bind(s, "C", m.lx, "column", samples::at(10)); });
  EXPECT_EQ(again.why, "its iterations run on 'row'");
  const auto nameless =
      refusal<ScheduleArgumentError>([&] { bind(m.state, "C", m.lx, "", samples::at(10)); });
  EXPECT_EQ(nameless.what, "bind(x, \"\"): the hardware has no name");
}

}  // namespace
}  // namespace solway::schedule
