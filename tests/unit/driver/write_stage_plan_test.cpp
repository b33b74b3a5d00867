#include "driver/write_stage_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/plans_in_order.h"
#include "support/error.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::StagePlan;
using schedule::testing::ScheduledMatmul;
using testing::ElementsAre;

std::vector<std::string> primitives(const schedule::State& state) {
  std::vector<std::string> out;
  for (const schedule::Step& step : state.log) out.push_back(step.primitive);
  return out;
}

StagePlan tiles_of_y() {
  StagePlan out;
  out.choice.tiles = {8, 16, 64};
  out.choice.fits = true;
  out.parallel = 1;
  out.outer = {1};
  out.inner = {0, 2};
  return out;
}

TEST(WriteStagePlan, APlanBecomesPrimitives) {
  const ScheduledMatmul m(8, 64, 64);
  const WrittenNest made = write_stage_plan(m.state, memory_planner::extract_stage(m.state, "C"),
                                            tiles_of_y(), samples::at(9));
  EXPECT_THAT(primitives(made.state), ElementsAre("split", "reorder", "parallel", "buffer_read",
                                                  "buffer_read", "buffer_write"));
  EXPECT_THAT(made.buffers, ElementsAre("AA", "BB", "CC"));
  EXPECT_EQ(made.parallel, "y.o");
  EXPECT_TRUE(made.remarks.empty());
}

TEST(TryStagePlan, IsThePlanWhereItIsLegal) {
  const ScheduledMatmul m(8, 64, 64);
  const PlannedStage stage = memory_planner::extract_stage(m.state, "C");
  const auto tried = try_stage_plan(m.state, stage, tiles_of_y(), samples::at(9));
  ASSERT_TRUE(tried);
  const WrittenNest made = write_stage_plan(m.state, stage, tiles_of_y(), samples::at(9));
  EXPECT_EQ(primitives(tried->state), primitives(made.state));
  EXPECT_EQ(tried->buffers, made.buffers);
  EXPECT_EQ(tried->state.draft_of, nullptr);
}

TEST(TryStagePlan, NothingWhereItsOrderIsIllegal) {
  const ScheduledMatmul m(8, 64, 64);
  StagePlan plan = tiles_of_y();
  plan.parallel = 2;  // parts of the sum
  plan.choice.tiles[2] = 16;
  plan.outer = {2, 1};
  plan.inner = {0};
  const PlannedStage stage = memory_planner::extract_stage(m.state, "C");
  EXPECT_FALSE(try_stage_plan(m.state, stage, plan, samples::at(9)));
  EXPECT_THROW(write_stage_plan(m.state, stage, plan, samples::at(9)), IllegalScheduleError);
}

TEST(WriteStagePlan, ANestedReductionIsTiledWithItsStage) {
  const samples::NestedMatmul nested(8, 64, 64);
  const schedule::State state = schedule::make_state({nested.d}, samples::at(6));
  const WrittenNest made = write_stage_plan(state, memory_planner::extract_stage(state, "D"),
                                            tiles_of_y(), samples::at(9));
  EXPECT_THAT(made.buffers, ElementsAre("AA", "BB", "D_r0_buf", "DD"));
  EXPECT_EQ(made.state.program->statements.count("D_r0_buf_put_issue"), 0U);
  EXPECT_EQ(made.state.program->statements.count("DD_put_issue"), 1U);
}

}  // namespace
}  // namespace solway::driver
