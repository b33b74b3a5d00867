#include "driver/auto_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_planner/scratchpad.h"
#include "schedule/buffer_read.h"
#include "schedule/fuse.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using schedule::testing::ScheduledMatmul;
using testing::ElementsAre;
using testing::HasSubstr;

Target sunway() { return load_target("sw26010", samples::at(1)); }

TEST(AutoBuffer, WorkedExampleOfThePaper) {
  const ScheduledMatmul m(1, 1024, 1024);
  const AutoBufferResult r = auto_buffer(m.state, sunway(), "greedy", samples::at(9));
  ASSERT_EQ(r.choices.size(), 1U);
  EXPECT_EQ(r.choices[0].tiles[1].tile, 128);
  EXPECT_EQ(r.choices[0].tiles[2].tile, 64);
  EXPECT_EQ(r.choices[0].buffer_bytes, 33536);
  EXPECT_THAT(r.choices[0].order, ElementsAre("x", "y.o", "k.o", "y.i", "k.i"));
  EXPECT_EQ(r.choices[0].parallel, "y.o");
  EXPECT_THAT(r.choices[0].buffers, ElementsAre("AA", "BB", "CC"));
  EXPECT_TRUE(r.remarks.empty());
}

TEST(AutoBuffer, LeavesOrdinaryPrimitivesInTheLog) {
  const ScheduledMatmul m(1, 1024, 1024);
  const AutoBufferResult r = auto_buffer(m.state, sunway(), "greedy", samples::at(9));
  std::vector<std::string> primitives;
  for (const schedule::Step& step : r.state.log) {
    primitives.push_back(step.primitive);
    EXPECT_EQ(step.where.line, 9);
  }
  EXPECT_THAT(primitives, ElementsAre("split", "split", "reorder", "parallel", "buffer_read",
                                      "buffer_read", "buffer_write"));
}

TEST(AutoBuffer, KeepsTheUsersSplit) {
  ScheduledMatmul m(1, 256, 4096);
  const auto made = schedule::split(m.state, "C", m.ly, 32, samples::at(6));
  const AutoBufferResult r = auto_buffer(made.state, sunway(), "greedy", samples::at(9));
  EXPECT_EQ(r.state.stage_loops.at("C").size(), 5U);
  EXPECT_THAT(r.choices[0].order, ElementsAre("x", "y.o", "k.o", "y.i", "k.i"));
  EXPECT_EQ(r.state.log[1].primitive, "split");  // of k only
  EXPECT_EQ(r.state.log[2].primitive, "reorder");
}

TEST(AutoBuffer, AUsersSplitThatIsTooLargeIsNamed) {
  ScheduledMatmul m(1, 1 << 20, 4);
  const auto made = schedule::split(m.state, "C", m.ly, 1 << 16, samples::at(6));
  try {
    auto_buffer(made.state, sunway(), "greedy", samples::at(9));
    FAIL() << "expected CapacityError";
  } catch (const CapacityError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("'y.i' of 65536 iterations, made at user.py:6"));
    EXPECT_EQ(e.report().where.line, 9);
    EXPECT_GT(e.needed_bytes(), e.available_bytes());
    EXPECT_EQ(e.buffers().size(), 3U);
  }
}

TEST(AutoBuffer, KeepsTheUsersBufferAndStagesTheRestThere) {
  ScheduledMatmul m(1, 64, 64);
  const auto y = schedule::split(m.state, "C", m.ly, 16, samples::at(6));
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "B";
  request.at = y.outer;
  request.text = "buffer_read(B, at=y.o)";
  const auto with = schedule::buffer_read(y.state, request, samples::at(7));
  const AutoBufferResult r = auto_buffer(with.state, sunway(), "greedy", samples::at(9));
  EXPECT_EQ(r.state.stage_loops.at("C"), with.state.stage_loops.at("C"));
  EXPECT_EQ(r.state.program->buffers.size(), 3U);
  EXPECT_THAT(r.choices[0].buffers, ElementsAre("AA", "CC"));
}

TEST(AutoBuffer, ShrinksTilesWhoseBoxesAreLargerThanTheModelSays) {
  ScheduledMatmul m(4, 256, 128);
  const auto fused = schedule::fuse(m.state, "C", {m.lx, m.ly}, samples::at(6));
  const AutoBufferResult r = auto_buffer(fused.state, sunway(), "greedy", samples::at(9));
  EXPECT_LE(r.choices[0].buffer_bytes, r.choices[0].room_bytes);
  EXPECT_TRUE(memory_planner::lay_out(r.state, sunway(), {})[0].fits());
}

TEST(AutoBuffer, StagesShareTheMemory) {
  const samples::Pipeline pipeline(100000);
  const schedule::State state = schedule::make_state({pipeline.c}, samples::at(4));
  const AutoBufferResult r = auto_buffer(state, sunway(), "greedy", samples::at(9));
  ASSERT_EQ(r.choices.size(), 2U);
  EXPECT_LE(r.choices[0].buffer_bytes + r.choices[1].buffer_bytes,
            65536 - memory_planner::kCodeBytes);
  EXPECT_EQ(r.state.program->buffers.size(), 4U);
  EXPECT_TRUE(memory_planner::lay_out(r.state, sunway(), {})[0].fits());
}

TEST(AutoBuffer, AnEmptyStageIsLeftAsItIs) {
  const ScheduledMatmul m(1, 0, 4);
  const AutoBufferResult r = auto_buffer(m.state, sunway(), "greedy", samples::at(9));
  EXPECT_TRUE(r.state.log.empty());
  ASSERT_EQ(r.remarks.size(), 1U);
  EXPECT_EQ(r.remarks[0].why, "it computes nothing");
}

TEST(AutoBuffer, OneCoreOfTargetCHasNoParallelLoop) {
  const ScheduledMatmul m(8, 512, 512);
  const AutoBufferResult r =
      auto_buffer(m.state, load_target("c", samples::at(1)), "greedy", samples::at(9));
  EXPECT_EQ(r.choices[0].parallel, "");
  EXPECT_EQ(r.choices[0].buffers.size(), 3U);
}

TEST(AutoBuffer, TheSearchTellsBothSidesOfItsDecisions) {
  const ScheduledMatmul m(16, 256, 128);
  const AutoBufferResult r = auto_buffer(m.state, sunway(), "optimal", samples::at(9));
  ASSERT_EQ(r.choices.size(), 1U);
  EXPECT_EQ(r.choices[0].planner, "optimal");
  EXPECT_GT(r.choices[0].cycles, 0);
  EXPECT_GE(r.choices[0].decisions.size(), 7U);
  EXPECT_LE(r.choices[0].buffer_bytes, r.choices[0].room_bytes);
  EXPECT_TRUE(r.remarks.empty());
}

TEST(AutoBuffer, TheSearchKeepsASplit) {
  ScheduledMatmul m(1, 256, 4096);
  const auto made = schedule::split(m.state, "C", m.ly, 32, samples::at(6));
  const AutoBufferResult r = auto_buffer(made.state, sunway(), "optimal", samples::at(9));
  EXPECT_EQ(r.choices[0].planner, "optimal");
  EXPECT_TRUE(r.remarks.empty());
  // The loop over blocks stands around the buffers; what runs within a block may be divided.
  EXPECT_TRUE(r.state.order.loops.count(made.outer) != 0);
  for (const auto& [name, buffer] : r.state.program->buffers) {
    const std::string issue = name + (name == "CC" ? "_put_issue" : "_get_issue");
    EXPECT_THAT(r.state.order.placement_of(issue).path, ::testing::Contains(made.outer)) << name;
  }
}

TEST(AutoBuffer, TheSearchNeedsFigures) {
  const ScheduledMatmul m(1, 4, 4);
  const auto host = schedule::testing::refusal<UnsupportedError>(
      [&] { auto_buffer(m.state, load_target("c", samples::at(1)), "optimal", samples::at(9)); });
  EXPECT_EQ(host.what, "auto_buffer has no cost model for 'c'");
  EXPECT_THAT(host.fix, HasSubstr("greedy"));
}

TEST(AutoBuffer, RefusesPlannersThatAreNotThere) {
  const ScheduledMatmul m(1, 4, 4);
  const auto other = schedule::testing::refusal<ScheduleArgumentError>(
      [&] { auto_buffer(m.state, sunway(), "best", samples::at(9)); });
  EXPECT_EQ(other.what, "auto_buffer has no planner 'best'");
  EXPECT_EQ(other.where.line, 9);
}

}  // namespace
}  // namespace solway::driver
