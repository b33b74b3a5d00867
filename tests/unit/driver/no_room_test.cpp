#include "driver/no_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using schedule::testing::refusal;
using schedule::testing::ScheduledMatmul;
using testing::HasSubstr;

TEST(NoRoom, NamesWhatTheScheduleFixed) {
  const ScheduledMatmul m(1, 256, 8);
  const schedule::State state = schedule::split(m.state, "C", m.ly, 32, samples::at(6)).state;
  const auto stage = memory_planner::extract_stage(state, "C");
  const memory_planner::Room room{64, 4};
  const auto plan = memory_planner::plan_greedily(stage.model, room, 1);
  const auto report =
      refusal<CapacityError>([&] { fail_capacity(state, stage, plan, room, samples::at(9)); });
  EXPECT_THAT(report.what, HasSubstr("there is room for 64"));
  EXPECT_THAT(report.why, HasSubstr("'y.i' of 32 iterations, made at user.py:6"));
  EXPECT_EQ(report.where.line, 9);
}

TEST(NoRoom, AddsUpTheBoxesThatWereTried) {
  const auto report = refusal<CapacityError>([&] {
    fail_boxes("C", {{"AA", 100, "buffer_read(A)"}, {"CC", 28, "buffer_write(C)"}}, {64, 4},
               samples::at(9));
  });
  EXPECT_EQ(report.what, "the buffers of 'C' need 128 bytes, there is room for 64");
}

}  // namespace
}  // namespace solway::driver
