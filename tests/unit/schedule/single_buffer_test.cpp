#include "schedule/single_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/double_buffer.h"
#include "schedule/parallel.h"
#include "schedule/prefetch.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::HasSubstr;

State with_a(const TiledMatmul& m) {
  return buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
}

State with_c(const TiledMatmul& m) {
  return buffer_write(m.state, request_for("C", {m.yi}, m.yo), samples::at(9)).state;
}

TEST(SingleBuffer, AsksForTheNextTileAfterTheLastUse) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = single_buffer(with_a(m), "AA", samples::at(10));
  EXPECT_THAT(placements_of(state), ElementsAre("C_init: x y.o y.i", "AA_get_complete: x y.o k.o",
                                                "C: x y.o k.o y.i k.i", "AA_get_issue: x y.o k.o"));
  EXPECT_EQ(state.order.placement_of("AA_get_issue").delay, -1);
  EXPECT_EQ(state.program->buffers.at("AA").depth, 1);
  EXPECT_EQ(state.log.back().primitive, "single_buffer");
}

TEST(SingleBuffer, WaitsForWhatWasStoredBeforeTheNextTile) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = single_buffer(with_c(m), "CC", samples::at(10));
  EXPECT_THAT(placements_of(state), ElementsAre("CC_put_complete: x y.o", "C_init: x y.o y.i",
                                                "C: x y.o k.o y.i k.i", "CC_put_issue: x y.o"));
  EXPECT_EQ(state.order.placement_of("CC_put_complete").delay, 1);
}

TEST(SingleBuffer, CountsTheIterationsOfSeveralLoopsAsOfOne) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = single_buffer(with_a(m), "AA", samples::at(10), m.yo);
  EXPECT_EQ(state.order.placement_of("AA_get_issue").delay, -1);
  EXPECT_EQ(state.order.placement_of("AA_get_issue").delayed, 2);
  EXPECT_EQ(state.log.back().arguments.back().first, "across");
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              single_buffer(with_a(m), "AA", samples::at(10), m.ki);
            }).what,
            "single_buffer(AA): 'k.i' is not around the transfers of 'AA'");
}

TEST(SingleBuffer, TwiceIsOnce) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State once = single_buffer(with_a(m), "AA", samples::at(10));
  const State twice = single_buffer(once, "AA", samples::at(11));
  EXPECT_EQ(placements_of(once), placements_of(twice));
}

TEST(SingleBuffer, TakesASecondRegionLater) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state =
      double_buffer(single_buffer(with_a(m), "AA", samples::at(10)), "AA", samples::at(11));
  EXPECT_EQ(state.program->buffers.at("AA").depth, 2);
  EXPECT_EQ(state.order.placement_of("AA_get_issue").delay, -1);
  // Before the first use again, so that the next tile has the whole iteration to come.
  EXPECT_EQ(placements_of(state), placements_of(with_a(m)));
  const State stored =
      double_buffer(single_buffer(with_c(m), "CC", samples::at(10)), "CC", samples::at(11));
  EXPECT_EQ(stored.order.placement_of("CC_put_complete").delay, 1);
  EXPECT_EQ(placements_of(stored), placements_of(with_c(m)));
}

TEST(SingleBuffer, IsTakenBackByPrefetchOfNoIterations) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state =
      prefetch(single_buffer(with_a(m), "AA", samples::at(10)), "AA", 0, samples::at(11));
  EXPECT_EQ(state.order.placement_of("AA_get_issue").delay, 0);
  EXPECT_EQ(placements_of(state), placements_of(with_a(m)));
}

TEST(SingleBuffer, RefusesWhatHasNoOtherIteration) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State two = double_buffer(with_a(m), "AA", samples::at(10));
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] { single_buffer(two, "AA", samples::at(11)); }).what,
            "single_buffer(AA): 'AA' has 2 regions");
  BufferRequest request = request_for("A", {}, -1);
  request.region.reset();
  const State outside = buffer_read(m.state, request, samples::at(9)).state;
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { single_buffer(outside, "AA", samples::at(10)); }).what,
      "single_buffer(AA): 'AA' is moved once");
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { single_buffer(outside, "BB", samples::at(10)); }).what,
      "single_buffer(BB): 'BB' is no buffer of this schedule");
}

TEST(SingleBuffer, RefusesSumsThatContinue) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = buffer_write(m.state, request_for("C", {m.yi}, m.ko), samples::at(9)).state;
  const auto report =
      refusal<UnsupportedError>([&] { single_buffer(state, "CC", samples::at(10)); });
  EXPECT_EQ(report.what, "single_buffer(CC): 'CC' is loaded and stored");
}

TEST(SingleBuffer, RefusesToCrossCores) {
  // The next row is another core's.
  const TiledMatmul m(4, 8, 6, 4, 3);
  const State on_cores = parallel(m.state, "C", m.lx, samples::at(9));
  BufferRequest request = request_for("A", {}, m.lx);
  request.region.reset();
  const State state = buffer_read(on_cores, request, samples::at(9)).state;
  const auto report =
      refusal<IllegalScheduleError>([&] { single_buffer(state, "AA", samples::at(10)); });
  EXPECT_THAT(report.what, HasSubstr("AA"));
}

}  // namespace
}  // namespace solway::schedule
