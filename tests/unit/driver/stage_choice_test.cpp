#include "driver/stage_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using schedule::testing::ScheduledMatmul;
using testing::ElementsAre;

struct Made : ScheduledMatmul {
  memory_planner::PlannedStage stage;
  WrittenNest nest;

  Made() : ScheduledMatmul(4, 6, 5), stage(memory_planner::extract_stage(state, "C")) {
    const auto buffer = [&](const char* tensor) {
      schedule::BufferRequest request;
      request.stage = "C";
      request.tensor = tensor;
      request.at = lx;
      schedule::BufferResult made = schedule::buffer_read(nest.state, request, samples::at(6));
      nest.state = std::move(made.state);
      return made.buffer;
    };
    nest.state = state;
    buffer("B");  // of somebody else
    nest.buffers = {buffer("A")};
    nest.parallel = "x";
    nest.remarks = {{"step", "verdict", "why", samples::at(6)}};
  }

  MadeChoice choice() const {
    const Target target = load_target("sw26010", samples::at(1));
    return choice_of(nest, stage, {1, 6, 5}, {1000, 32}, target, samples::at(7));
  }
};

TEST(StageChoice, HasTilesOrderAndTheBytesOfItsOwnBuffers) {
  const MadeChoice made = Made().choice();
  EXPECT_EQ(made.choice.stage, "C");
  ASSERT_EQ(made.choice.tiles.size(), 3U);
  EXPECT_EQ(made.choice.tiles[1].loop, "y");
  EXPECT_EQ(made.choice.tiles[1].extent, 6);
  EXPECT_EQ(made.choice.tiles[0].tile, 1);
  EXPECT_THAT(made.choice.order, ElementsAre("x", "y", "k"));
  EXPECT_EQ(made.choice.parallel, "x");
  EXPECT_EQ(made.choice.room_bytes, 1000);
  EXPECT_EQ(made.choice.planner, "");
  ASSERT_EQ(made.buffers.size(), 1U);
  EXPECT_EQ(made.buffers[0].name, "AA");
  EXPECT_EQ(made.buffers[0].size_bytes, 20);  // five float32
  EXPECT_EQ(made.choice.buffer_bytes, 32);
}

TEST(StageChoice, IsKeptWithItsScheduleAndRemarks) {
  const Made made;
  AutoBufferResult out{made.state, {}, {}};
  keep(out, made.nest, made.choice().choice);
  EXPECT_EQ(out.state.program->buffers.size(), 2U);
  EXPECT_EQ(out.choices.size(), 1U);
  EXPECT_EQ(out.remarks.size(), 1U);
}

}  // namespace
}  // namespace solway::driver
