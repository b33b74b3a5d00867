#include "schedule/prefetch.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

State with_a(const TiledMatmul& m) {
  return buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
}

TEST(Prefetch, RaisesTheDepthAsNeeded) {
  const TiledMatmul m(2, 8, 12, 4, 3);
  const State three = prefetch(with_a(m), "AA", 2, samples::at(10));
  EXPECT_EQ(three.program->buffers.at("AA").depth, 3);
  EXPECT_EQ(three.order.placement_of("AA_get_issue").delay, -2);
  const State one = prefetch(three, "AA", 1, samples::at(11));
  EXPECT_EQ(one.program->buffers.at("AA").depth, 3);
  EXPECT_EQ(one.order.placement_of("AA_get_issue").delay, -1);
  const State none = prefetch(with_a(m), "AA", 0, samples::at(10));
  EXPECT_EQ(none.program->buffers.at("AA").depth, 1);
}

TEST(Prefetch, RefusesWhatIsNotLoaded) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = buffer_write(m.state, request_for("C", {m.yi}, m.yo), samples::at(9)).state;
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] { prefetch(state, "CC", 1, samples::at(10)); }).what,
            "prefetch(CC, distance=1): 'CC' is not loaded");
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { prefetch(with_a(m), "AA", -1, samples::at(10)); }).what,
      "prefetch(AA, distance=-1): the distance is negative");
}

}  // namespace
}  // namespace solway::schedule
