#include "schedule/same_state.h"

#include <gtest/gtest.h>

#include "schedule/section.h"
#include "schedule/unroll.h"

#include "tests/unit/schedule/three_stages.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(IsSameSection, SeesWhatAPrimitiveChanged) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("P")[0];
  const std::vector<State> before = sections_of(t.state);
  for (const State& next :
       {split(t.state, "P", i, 2, samples::at(9)).state, parallel(t.state, "P", i, samples::at(9)),
        buffer_write(t.state, {"P", "P", {}, i, "", {}, "buffer_write"}, samples::at(9)).state}) {
    const std::vector<State> after = sections_of(next);
    ASSERT_EQ(after.size(), 3U);
    EXPECT_FALSE(is_same_section(before[0], after[0]));
    EXPECT_TRUE(is_same_section(before[1], after[1]));
    EXPECT_TRUE(is_same_section(before[2], after[2]));
  }
  const std::vector<State> unrolled = sections_of(unroll(t.state, "P", i, samples::at(9)));
  EXPECT_TRUE(is_same_section(before[0], unrolled[0]));
}

TEST(IsSameSchedule, SeesLoopsMarksAndProgram) {
  const ThreeStages t(4, 6);
  const State copy = t.state;
  EXPECT_TRUE(is_same_schedule(t.state, copy));
  const LoopId i = t.state.stage_loops.at("P")[0];
  const LoopId j = t.state.stage_loops.at("P")[1];
  for (const State& next :
       {split(t.state, "P", i, 2, samples::at(9)).state,
        split(t.state, "P", j, 2, samples::at(9)).state, unroll(t.state, "P", i, samples::at(9)),
        parallel(t.state, "P", i, samples::at(9)), reorder(t.state, "P", {j, i}, samples::at(9)),
        buffer_write(t.state, {"P", "P", {}, i, "", {}, "buffer_write"}, samples::at(9)).state}) {
    EXPECT_FALSE(is_same_schedule(t.state, next));
    EXPECT_TRUE(is_same_schedule(next, State(next)));
  }
}

TEST(IsSameSchedule, LoopsOfOneIdMayBeOthers) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("P")[0];
  const State by_two = split(t.state, "P", i, 2, samples::at(9)).state;
  const State by_four = split(t.state, "P", i, 4, samples::at(9)).state;
  EXPECT_EQ(by_two.stage_loops, by_four.stage_loops);
  EXPECT_FALSE(is_same_schedule(by_two, by_four));
}

}  // namespace
}  // namespace solway::schedule
