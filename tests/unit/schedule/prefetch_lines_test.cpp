#include "schedule/prefetch_lines.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(PrefetchLines, IsRememberedWithItsLoop) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = prefetch_lines(m.state, "C", "A", m.lk, 8, {}, samples::at(9));
  ASSERT_EQ(s.prefetched_lines.size(), 1U);
  EXPECT_EQ(s.prefetched_lines[0].loop, m.lk);
  EXPECT_EQ(s.prefetched_lines[0].distance, 8);
  EXPECT_EQ(s.log.back().primitive, "prefetch_lines");
  EXPECT_TRUE(m.state.prefetched_lines.empty());
}

TEST(PrefetchLines, SaysWhatIsWrong) {
  const ScheduledMatmul m(2, 3, 4);
  const auto what = [&](const State& s, const std::string& tensor, std::int64_t distance) {
    return refusal<ScheduleArgumentError>(
               [&] { prefetch_lines(s, "C", tensor, m.lk, distance, {}, samples::at(10)); })
        .what;
  };
  EXPECT_EQ(what(m.state, "D", 8), "prefetch_lines(D): 'C' does not read 'D'");
  EXPECT_EQ(what(m.state, "A", 0), "prefetch_lines(A): the distance is 0");
  const State once = prefetch_lines(m.state, "C", "A", m.lk, 8, {}, samples::at(9));
  EXPECT_EQ(what(once, "A", 4), "prefetch_lines(A): 'k' asks for its lines already");
  EXPECT_EQ(prefetch_lines(once, "C", "B", m.lk, 4, {}, samples::at(10)).prefetched_lines.size(),
            2U);
}

TEST(PrefetchLines, SpreadsOverALoopInside) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = prefetch_lines(m.state, "C", "A", m.lx, 1, m.lk, samples::at(9));
  EXPECT_EQ(s.prefetched_lines[0].inside, m.lk);
  EXPECT_EQ(s.log.back().arguments.back().first, "inside");
  const auto refused = [&](LoopId at, LoopId inside) {
    return refusal<ScheduleArgumentError>(
        [&] { prefetch_lines(m.state, "C", "A", at, 1, inside, samples::at(10)); });
  };
  EXPECT_EQ(refused(m.lk, m.lx).what, "prefetch_lines(A): 'x' does not run in 'k'");
  EXPECT_EQ(refused(m.lk, m.lx).fix, "leave inside= out: no loop of 'C' runs in 'k'");
  EXPECT_EQ(refused(m.ly, m.lx).fix, "pass a loop that does: 'k'");
}

}  // namespace
}  // namespace solway::schedule
