#include "driver/plans_in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/compute_at.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using memory_planner::StagePlan;
using schedule::LoopId;
using schedule::State;
using schedule::testing::ScheduledMatmul;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(PlansInOrder, PartsOfEachSpatialLoopThenBuffersFurtherAndFurtherIn) {
  const ScheduledMatmul m(8, 100, 16);
  const auto plans = plans_in_order(memory_planner::extract_stage(m.state, "C"), 64);
  ASSERT_EQ(plans.size(), 5U);
  EXPECT_EQ(plans[0].parallel, 0);
  EXPECT_THAT(plans[0].choice.tiles, ElementsAre(1, 100, 16));
  EXPECT_EQ(plans[1].parallel, 1);
  EXPECT_THAT(plans[1].choice.tiles, ElementsAre(8, 2, 16));
  EXPECT_THAT(plans[2].outer, IsEmpty());
  EXPECT_THAT(plans[3].outer, ElementsAre(0));
  EXPECT_THAT(plans[4].outer, ElementsAre(0, 1));  // and not inside the reduction
  EXPECT_THAT(plans[4].inner, ElementsAre(2));
}

TEST(PlansInOrder, OneCoreHasNoParts) {
  const ScheduledMatmul m(8, 100, 16);
  const auto plans = plans_in_order(memory_planner::extract_stage(m.state, "C"), 1);
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0].parallel, -1);
}

TEST(PlansInOrder, AllCoresGoThroughOuterLoopsTogether) {
  const ScheduledMatmul m(8, 100, 16);
  const auto plans = plans_in_steps(memory_planner::extract_stage(m.state, "C"), 64);
  ASSERT_EQ(plans.size(), 1U);  // no loop inside of both is spatial
  EXPECT_EQ(plans[0].steps, 1);
  EXPECT_EQ(plans[0].parallel, 1);
  EXPECT_THAT(plans[0].outer, ElementsAre(0, 1));
  EXPECT_THAT(plans[0].inner, ElementsAre(2));
  EXPECT_THAT(plans[0].choice.tiles, ElementsAre(1, 2, 16));
  EXPECT_TRUE(plans_in_steps(memory_planner::extract_stage(m.state, "C"), 1).empty());
}

TEST(PlansInOrder, ABufferSaysWhichLoopsLieInside) {
  const ScheduledMatmul m(8, 64, 16);
  EXPECT_FALSE(loops_inside_buffers(m.state, "C").has_value());
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.at = m.lx;
  const auto state = schedule::buffer_read(m.state, request, samples::at(9)).state;
  EXPECT_THAT(loops_inside_buffers(state, "C").value(), ElementsAre(m.ly, m.lk));
}

TEST(PlansInOrder, LoopsOfAReaderAroundAPlacedStageAreNotItsOwn) {
  const State start = schedule::make_state({samples::Pipeline(16).c}, {});
  const LoopId loop = start.stage_loops.at("C")[0];
  const State placed = schedule::compute_at(start, "P", "C", loop, {});
  schedule::BufferRequest request;
  request.stage = "P";
  request.tensor = "A";
  request.at = loop;
  const State outside = schedule::buffer_read(placed, request, {}).state;
  EXPECT_EQ(loops_inside_buffers(outside, "P").value(), placed.stage_loops.at("P"));
  request.at = placed.stage_loops.at("P")[0];
  const State inside = schedule::buffer_read(placed, request, {}).state;
  EXPECT_THAT(loops_inside_buffers(inside, "P").value(), IsEmpty());
}

}  // namespace
}  // namespace solway::driver
