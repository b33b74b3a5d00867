#include "driver/write_nest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using memory_planner::NestPlan;
using schedule::testing::ScheduledMatmul;
using testing::ElementsAre;

std::vector<std::string> primitives(const schedule::State& state) {
  std::vector<std::string> out;
  for (const schedule::Step& step : state.log) out.push_back(step.primitive);
  return out;
}

std::vector<std::string> loops(const schedule::State& state) {
  std::vector<std::string> out;
  for (const schedule::LoopId id : state.stage_loops.at("C")) {
    out.push_back(schedule::loop_name(state, id));
  }
  return out;
}

WrittenNest write(const ScheduledMatmul& m, const NestPlan& plan) {
  const memory_planner::PlannedStage stage = memory_planner::extract_stage(m.state, "C");
  return write_nest(m.state, stage, plan, samples::at(9));
}

TEST(WriteNest, APlanBecomesPrimitives) {
  const ScheduledMatmul m(32, 64, 64);
  NestPlan plan;
  plan.cuts = {{8, 8, 4}, {16, 16, 16}, {64, 32, 1}};
  plan.parallel = {0, 1};
  plan.grid = {4, 4};
  plan.outer = {2};
  plan.vector = 1;
  plan.depths = {2, 1, 1};
  const WrittenNest made = write(m, plan);
  EXPECT_THAT(primitives(made.state),
              ElementsAre("split", "split", "split", "split", "reorder", "parallel", "buffer_read",
                          "buffer_read", "buffer_write", "unroll", "vectorize"));
  EXPECT_THAT(loops(made.state), ElementsAre("x.o", "y.o", "k.o", "x.i.o", "k.i", "x.i.i", "y.i"));
  EXPECT_EQ(made.parallel, "x.o, y.o");
  EXPECT_THAT(made.buffers, ElementsAre("AA", "BB", "CC"));
  EXPECT_TRUE(made.remarks.empty());
}

TEST(WriteNest, RowsOfTheMeshHavePartsOfBothLoops) {
  const ScheduledMatmul m(13, 64, 64);
  NestPlan plan;
  plan.cuts = {{7, 7, 1}, {2, 2, 1}, {64, 32, 1}};
  plan.parallel = {0, 1};
  plan.grid = {2, 32};
  plan.rows_of_part = 4;
  plan.outer = {2};
  plan.depths = {1, 1, 1};
  const WrittenNest made = write(m, plan);
  EXPECT_THAT(primitives(made.state),
              ElementsAre("split", "split", "split", "reorder", "split", "fuse", "parallel",
                          "buffer_read", "buffer_read", "buffer_write"));
  EXPECT_THAT(loops(made.state), ElementsAre("x.o.y.o.o", "y.o.i", "k.o", "x.i", "y.i", "k.i"));
  EXPECT_EQ(made.parallel, "x.o.y.o.o, y.o.i");
  EXPECT_THAT(made.buffers, ElementsAre("AA", "BB", "CC"));
  EXPECT_TRUE(made.remarks.empty());
}

TEST(WriteNest, WhatIsNotStagedHasNoBuffer) {
  const ScheduledMatmul m(4, 16, 8);
  NestPlan plan;
  plan.cuts = {{4, 4, 1}, {16, 16, 1}, {8, 8, 1}};
  plan.depths = {0, 1, 0};
  const WrittenNest made = write(m, plan);
  EXPECT_THAT(primitives(made.state), ElementsAre("buffer_read"));
  EXPECT_EQ(made.parallel, "");
}

TEST(WriteNest, TilesOfOneIterationNeedNoSplit) {
  const ScheduledMatmul m(4, 16, 8);
  NestPlan plan;
  plan.cuts = {{1, 1, 1}, {16, 4, 1}, {8, 8, 1}};
  plan.parallel = {0};
  plan.grid = {4, 0};
  plan.outer = {1};
  plan.depths = {1, 1, 1};
  EXPECT_THAT(loops(write(m, plan).state), ElementsAre("x", "y.o", "y.i", "k"));
}

}  // namespace
}  // namespace solway::driver
