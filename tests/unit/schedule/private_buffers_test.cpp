#include "schedule/private_buffers.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/program_legality.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

const Request kRequest{"parallel(x)", {"user.py", 9, ""}};

std::set<std::string> names_of_buffers(const State& state) {
  std::set<std::string> out;
  for (const auto& [name, buffer] : state.program->buffers) out.insert(name);
  return out;
}

TEST(LeftIteration, NothingLeavesWithoutBuffers) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  const State state = m.state;
  const BufferFlow flow = buffer_flow_of(state, names_of_buffers(state), kRequest);
  EXPECT_TRUE(flow.flow.is_empty());
  EXPECT_FALSE(left_iteration(state, m.lx, flow, kRequest));
}

TEST(BufferFlowOf, IsWhatTheProgramTestFound) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  BufferRequest request = request_for("A", {}, m.lx);
  request.region.reset();
  const State state = buffer_read(m.state, request, samples::at(9)).state;
  const BufferFlow own = buffer_flow_of(state, names_of_buffers(state), kRequest);
  FoundProgram found;
  require_program_legal(*state.original, *state.program, kRequest, kProgramBudget, &found);
  const BufferFlow known =
      buffer_flow_of(*state.program, names_of_buffers(state), found.elements, found.flow);
  EXPECT_FALSE(own.flow.is_empty());
  EXPECT_TRUE(own.flow.is_equal(known.flow));
  EXPECT_TRUE(own.accesses.is_equal(known.accesses));
  EXPECT_FALSE(left_iteration(state, m.lx, known, kRequest));
  EXPECT_TRUE(left_iteration(state, m.yo, known, kRequest));
}

}  // namespace
}  // namespace solway::schedule
