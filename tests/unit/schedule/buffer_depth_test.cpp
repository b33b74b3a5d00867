#include "schedule/buffer_depth.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(DepthOf, UsesEveryOtherSlotAhead) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State loaded = buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
  const State stored = buffer_write(m.state, request_for("C", {m.yi}, m.yo), samples::at(9)).state;
  const State both = buffer_write(m.state, request_for("C", {m.yi}, m.ko), samples::at(9)).state;
  EXPECT_TRUE(is_loaded(*loaded.program, "AA"));
  EXPECT_FALSE(is_loaded(*stored.program, "CC"));
  EXPECT_EQ(depth_of(*loaded.program, "AA", 3).distance, 2);
  EXPECT_EQ(depth_of(*stored.program, "CC", 3).distance, 0);
  EXPECT_EQ(depth_of(*both.program, "CC", 3).distance, 1);
}

TEST(RequireDepth, NeedsALoopForSeveralRegions) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest outside = request_for("A", {}, -1);
  outside.region.reset();
  const State state = buffer_read(m.state, outside, samples::at(9)).state;
  const Request request{"double_buffer(AA)", samples::at(10)};
  EXPECT_NO_THROW(require_depth(*state.program, state.order, "AA", {1, 0}, request));
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              require_depth(*state.program, state.order, "AA", {2, 1}, request);
            }).what,
            "double_buffer(AA): 'AA' is moved once");
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { require_buffer(*state.program, "BB", request); }).why,
      "its buffers are 'AA'");
}

}  // namespace
}  // namespace solway::schedule
