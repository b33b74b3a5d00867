#include "schedule/double_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/parallel.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::HasSubstr;

State with_a(const TiledMatmul& m) {
  return buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
}

TEST(DoubleBuffer, IssuesOneIterationEarly) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = double_buffer(with_a(m), "AA", samples::at(10));
  EXPECT_EQ(state.program->buffers.at("AA").depth, 2);
  EXPECT_EQ(state.program->array("AA").shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(state.order.placement_of("AA_get_issue").delay, -1);
  EXPECT_EQ(state.log.back().primitive, "double_buffer");
}

TEST(DoubleBuffer, IsWhatDepthTwoMakes) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("A", {m.ki}, m.ko);
  request.depth = 2;
  const State made = buffer_read(m.state, request, samples::at(9)).state;
  const State state = double_buffer(with_a(m), "AA", samples::at(10));
  EXPECT_TRUE(made.program->reference.is_equal(state.program->reference));
  for (const auto& [name, s] : state.program->statements) {
    EXPECT_TRUE(made.program->statement(name).writes[0].relation.is_equal(s.writes[0].relation));
  }
}

TEST(DoubleBuffer, TwiceIsOnce) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State once = double_buffer(with_a(m), "AA", samples::at(10));
  const State twice = double_buffer(once, "AA", samples::at(11));
  EXPECT_TRUE(once.program->reference.is_equal(twice.program->reference));
  EXPECT_EQ(once.program->array("AA").shape, twice.program->array("AA").shape);
}

TEST(DoubleBuffer, RefusesWhatCannotTakeTurns) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("A", {}, -1);
  request.region.reset();
  const State outside = buffer_read(m.state, request, samples::at(9)).state;
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { double_buffer(outside, "AA", samples::at(10)); }).what,
      "double_buffer(AA): 'AA' is moved once");
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { double_buffer(outside, "BB", samples::at(10)); }).what,
      "double_buffer(BB): 'BB' is no buffer of this schedule");
  request.at = m.ko;
  request.depth = 0;
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { buffer_read(m.state, request, samples::at(10)); }).what,
      "buffer(A): the depth is not positive");
}

TEST(DoubleBuffer, RefusesToCrossCores) {
  // The next row is another core's.
  const TiledMatmul m(4, 8, 6, 4, 3);
  const State on_cores = parallel(m.state, "C", m.lx, samples::at(9));
  BufferRequest request = request_for("A", {}, m.lx);
  request.region.reset();
  const State state = buffer_read(on_cores, request, samples::at(9)).state;
  const auto report =
      refusal<IllegalScheduleError>([&] { double_buffer(state, "AA", samples::at(10)); });
  EXPECT_THAT(report.what, HasSubstr("AA"));
}

TEST(DoubleBuffer, RefusesSumsThatContinue) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = buffer_write(m.state, request_for("C", {m.yi}, m.ko), samples::at(9)).state;
  const auto report =
      refusal<IllegalScheduleError>([&] { double_buffer(state, "CC", samples::at(10)); });
  EXPECT_THAT(report.what, HasSubstr("CC"));
}

}  // namespace
}  // namespace solway::schedule
