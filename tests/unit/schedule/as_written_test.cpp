#include "schedule/as_written.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/compute_at.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/transform_layout.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using testing::ScheduledMatmul;

TEST(AsWritten, AStageThatNobodyChanged) {
  const ScheduledMatmul m(3, 5, 2);
  EXPECT_TRUE(has_loops_as_written(m.state, "C"));
  EXPECT_TRUE(is_as_written(m.state, "C"));
}

TEST(AsWritten, MarksAndOtherOrdersAreChanges) {
  const ScheduledMatmul m(3, 5, 2);
  EXPECT_FALSE(has_loops_as_written(parallel(m.state, "C", m.lx, {}), "C"));
  EXPECT_FALSE(has_loops_as_written(reorder(m.state, "C", {m.ly, m.lx}, {}), "C"));
}

TEST(AsWritten, ABufferIsAChangeOfWhatIsAccessed) {
  const ScheduledMatmul m(3, 5, 2);
  BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  const State state = buffer_read(m.state, request, {}).state;
  EXPECT_TRUE(has_loops_as_written(state, "C"));
  EXPECT_FALSE(is_as_written(state, "C"));
}

TEST(AsWritten, OthersInItsLoopsAreAChange) {
  const samples::Pipeline sample(7);
  const State start = make_state({sample.c}, {});
  const State state = compute_at(start, "P", "C", start.stage_loops.at("C")[0], {});
  EXPECT_FALSE(has_loops_as_written(state, "C"));
  EXPECT_FALSE(is_as_written(state, "P"));
}

}  // namespace
}  // namespace solway::schedule
