#include "schedule/vectorize.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Vectorize, TakesTermsOfOneSumTogether) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = vectorize(m.state, "C", m.lk, samples::at(9));
  EXPECT_EQ(s.order.loop(m.lk).mark, LoopMark::Vectorized);
  EXPECT_EQ(s.log.back().primitive, "vectorize");
}

}  // namespace
}  // namespace solway::schedule
