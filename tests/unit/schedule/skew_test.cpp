#include "schedule/skew.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/reorder.h"

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Skew, SlantsALoop) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = skew(m.state, "C", m.ly, m.lx, 2, samples::at(9));
  EXPECT_EQ(m.printed(s), R"(  for x in [0, 2) {
    for y in [(x * 2), ((x * 2) + 3)) {
      C[x, ((x * -2) + y)] = 0.0f32
      for k in [0, 4) {
        C[x, ((x * -2) + y)] = (C[x, ((x * -2) + y)] + (A[x, k] * B[k, ((x * -2) + y)]))
      }
    }
  }
}
)");
  EXPECT_EQ(s.order.loop(m.ly).begin, 0);
  EXPECT_EQ(s.order.loop(m.ly).end, 5);
  EXPECT_EQ(s.stage_loops, m.state.stage_loops);
  EXPECT_EQ(s.log.back().primitive, "skew");
}

TEST(Skew, ANegativeFactorMovesTheRangeDown) {
  const ScheduledMatmul m(3, 4, 2);
  const State s = skew(m.state, "C", m.ly, m.lx, -1, samples::at(9));
  EXPECT_EQ(s.order.loop(m.ly).begin, -2);
  EXPECT_EQ(s.order.loop(m.ly).end, 4);
}

TEST(Skew, WhatIsNotInTheOtherLoopKeepsItsValue) {
  const ScheduledMatmul m(2, 3, 4);
  // The initialisation of y is not inside k; updates of y at k come at y + k.
  const State s = skew(m.state, "C", m.ly, m.lk, 1, samples::at(9));
  EXPECT_TRUE(s.order.loop(m.ly).value.at("C_init").plain_is_equal(
      m.state.order.loop(m.ly).value.at("C_init")));
  EXPECT_EQ(s.order.loop(m.ly).end, 6);
  const auto late =
      refusal<IllegalScheduleError>([&] { skew(m.state, "C", m.ly, m.lk, -1, samples::at(9)); });
  EXPECT_EQ(
      late.what.find("skew(y, by=k, factor=-1) would run C[x=0, y=0, k=1] before C[x=0, y=0]"), 0U)
      << late.what;
  EXPECT_EQ(late.where.line, 9);
}

TEST(Skew, MakesAStencilReorderable) {
  const State state = testing::make_state(jacobi_sample(4, 6));
  const std::vector<LoopId> loops = state.stage_loops.at("S");
  EXPECT_THROW(reorder(state, "S", {loops[1], loops[0]}, samples::at(9)), IllegalScheduleError);
  const State skewed = skew(state, "S", loops[1], loops[0], 1, samples::at(9));
  EXPECT_NO_THROW(reorder(skewed, "S", {loops[1], loops[0]}, samples::at(10)));
  // In place, the neighbour of the step before is read too: half the slope is not enough.
  const State seidel = testing::make_state(gauss_seidel_sample(3, 6));
  const State once = skew(seidel, "S", loops[1], loops[0], 1, samples::at(9));
  EXPECT_NO_THROW(reorder(once, "S", {loops[1], loops[0]}, samples::at(10)));
  EXPECT_THROW(parallel(once, "S", loops[1], samples::at(10)), IllegalScheduleError);
}

TEST(Skew, RefusesNoSlopeAndItself) {
  const ScheduledMatmul m(2, 3, 4);
  const auto refused = [&](LoopId by, std::int64_t factor) {
    return refusal<ScheduleArgumentError>(
        [&] { skew(m.state, "C", m.ly, by, factor, samples::at(9)); });
  };
  EXPECT_EQ(refused(m.lx, 0).what, "skew(y, by=x, factor=0): the factor is 0");
  EXPECT_EQ(refused(m.ly, 1).what, "skew(y, by=y, factor=1): a loop cannot be skewed by itself");
  EXPECT_EQ(refused(m.lx, INT64_MAX).what,
            "skew(y, by=x, factor=9223372036854775807): the values of 'y' become too large");
}

}  // namespace
}  // namespace solway::schedule
