#include "driver/program_memory.h"

#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/state.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/memory_planner/buffered_matmul.h"

namespace solway::driver {
namespace {

using memory_planner::testing::buffered_matmul;
using ::testing::HasSubstr;

/// A matrix product with two buffers of these extents in `scope`.
schedule::State with_buffers(std::int64_t first, std::int64_t second, const std::string& scope) {
  const samples::Matmul m(2, 2, 3);
  schedule::State state = schedule::make_state({m.c}, samples::at(5));
  schedule::Program program = *state.program;
  for (const auto& [name, extent] : {std::pair{"AA", first}, {"BB", second}}) {
    schedule::Array array;
    array.name = name;
    array.kind = schedule::ArrayKind::Buffer;
    array.type = DType::Float32;
    array.shape = {extent, 4};
    array.extent = isl::set(program.ctx(), std::string("{ ") + name + "[i, j] }");
    array.scope = scope;
    program.arrays[name] = array;
    schedule::Buffer buffer;
    buffer.name = name;
    buffer.primitive = std::string("buffer_read(") + name[0] + ", [k])";
    buffer.where = samples::at(7);
    program.buffers[name] = buffer;
  }
  state.program = std::make_shared<schedule::Program>(std::move(program));
  return state;
}

TEST(ProgramMemory, TakesBuffersThatFit) {
  const Target sunway = load_target("sw26010", samples::at(8));
  EXPECT_NO_THROW(require_memory(with_buffers(2048, 1920, ""), sunway, samples::at(9)));
  EXPECT_NO_THROW(require_memory(with_buffers(2048, 1920, "ldm"), sunway, samples::at(9)));
}

TEST(ProgramMemory, RefusesWhatDoesNotFitWithTheWholeReport) {
  const Target sunway = load_target("sw26010", samples::at(8));
  try {
    require_memory(buffered_matmul(128, 128), sunway, samples::at(12));
    FAIL() << "expected CapacityError";
  } catch (const CapacityError& e) {
    EXPECT_EQ(e.report().where.line, 12);
    EXPECT_EQ(e.needed_bytes(), 66560);
    EXPECT_EQ(e.available_bytes(), 63488);
    ASSERT_EQ(e.buffers().size(), 3U);
    EXPECT_EQ(e.buffers()[1].name, "BB");
    EXPECT_EQ(e.buffers()[1].size_bytes, 65536);
    EXPECT_EQ(e.buffers()[1].primitive, "buffer_read(B)");
    EXPECT_EQ(
        e.report().why,
        "it holds 65536 bytes, of which 2048 are kept for the stack and the runtime\n"
        "    buffer  offset  bytes  shape              lifetime                       made by\n"
        "    CC      0       512    128 float32        in each iteration of y.o of C  "
        "buffer_write(C) at user.py:11\n"
        "    BB      512     65536  128 x 128 float32  in each iteration of k.o of C  "
        "buffer_read(B) at user.py:9\n"
        "    AA      66048   512    128 float32        in each iteration of k.o of C  "
        "buffer_read(A) at user.py:10\n"
        "    loop  stage  factor  largest that fits\n"
        "    y.i   C      128     122\n"
        "    k.i   C      128     122");
  }
}

TEST(ProgramMemory, CountsWhatTheSystemKeeps) {
  Target sunway = load_target("sw26010", samples::at(8));
  const schedule::State state = buffered_matmul(128, 64);  // takes 33536 bytes
  sunway.memories[1].reserved_bytes = 65536 - 2048 - 33536;
  EXPECT_NO_THROW(require_memory(state, sunway, samples::at(9)));
  sunway.memories[1].reserved_bytes += 1;
  EXPECT_THROW(require_memory(state, sunway, samples::at(9)), CapacityError);
}

TEST(ProgramMemory, LetsBuffersBeLargerThanACache) {
  const Target c = load_target("c", samples::at(8));
  EXPECT_NO_THROW(require_memory(with_buffers(1 << 20, 1, ""), c, samples::at(9)));
}

TEST(ProgramMemory, RefusesAMemoryThatTheTargetDoesNotHave) {
  const Target c = load_target("c", samples::at(8));
  try {
    require_memory(with_buffers(4, 4, "ldm"), c, samples::at(9));
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_THAT(e.report().what, HasSubstr("'ldm'"));
    EXPECT_THAT(e.report().why, HasSubstr("'panel', 'register'"));
  }
}

}  // namespace
}  // namespace solway::driver
