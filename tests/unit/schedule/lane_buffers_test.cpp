#include "schedule/lane_buffers.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/vectorize.h"
#include "support/error.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// The product with y.o vectorized around the reduction, and a buffer of C there in `scope`.
State with_buffer(const TiledMatmul& m, const std::string& scope) {
  BufferRequest request = request_for("C", {}, m.yo);
  request.region.reset();
  request.scope = scope;
  const State vectorized = vectorize(m.state, "C", m.yo, samples::at(9));
  return buffer_write(vectorized, request, samples::at(10)).state;
}

TEST(LaneBuffers, EachIterationHasItsRegisters) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  const State state = with_buffer(m, "register");
  ASSERT_EQ(state.program->buffers.size(), 1U);
  const std::string name = state.program->buffers.begin()->first;
  EXPECT_EQ(lane_loop_of(state, name), m.yo);
  EXPECT_EQ(lane_buffers(state, m.yo), std::set<std::string>{name});
  EXPECT_TRUE(lane_buffers(state, m.lx).empty());
}

TEST(LaneBuffers, OtherMemoryIsShared) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  EXPECT_THROW(with_buffer(m, "near"), IllegalScheduleError);
}

TEST(LaneBuffers, NothingLeavesALane) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {}, m.yo);
  request.region.reset();
  request.scope = "register";
  request.depth = 2;  // what one iteration asks for, the next one uses
  const State vectorized = vectorize(m.state, "C", m.yo, samples::at(9));
  try {
    buffer_read(vectorized, request, samples::at(10));
    ADD_FAILURE() << "no error";
  } catch (const IllegalScheduleError& e) {
    EXPECT_NE(e.report().why.find("vectorized loop 'y.o'"), std::string::npos) << e.report().why;
  }
}

TEST(LaneBuffers, RegistersAroundTheLoopAreShared) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  BufferRequest request = request_for("C", {}, m.yo);
  request.region.reset();
  request.scope = "register";
  State state = buffer_write(m.state, request, samples::at(9)).state;
  const std::string name = state.program->buffers.begin()->first;
  EXPECT_FALSE(lane_loop_of(state, name));
  state = vectorize(state, "C", m.yi, samples::at(10));
  EXPECT_FALSE(lane_loop_of(state, name));  // its copy is not in that loop
}

}  // namespace
}  // namespace solway::schedule
