#include "driver/place_buffer.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::driver {
namespace {

using schedule::AccessKind;
using schedule::testing::placements_of;
using schedule::testing::refusal;
using schedule::testing::region_of;
using schedule::testing::TiledMatmul;

TEST(PlaceBuffer, FindsThePositionOfFigure2) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  PlacedBuffer request{"C", "B", region_of({m.ki, m.yi}), {}, "", {}};
  const auto r = place_buffer(m.state, AccessKind::Reads, request, samples::at(9));
  EXPECT_EQ(placements_of(r.state)[1], "BB_get_issue: x y.o k.o");
  EXPECT_EQ(r.state.program->buffers.at("BB").primitive, "buffer_read(B, [k.i, y.i])");
}

TEST(PlaceBuffer, TakesThePositionThatIsNamed) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  PlacedBuffer request{"C", "C", {}, m.yo, "ldm", {}};
  const auto r = place_buffer(m.state, AccessKind::Writes, request, samples::at(9));
  EXPECT_EQ(placements_of(r.state).back(), "CC_put_complete: x y.o");
  EXPECT_EQ(r.state.program->array("CC").scope, "ldm");
}

TEST(PlaceBuffer, NeedsARegionOrAPosition) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto report = refusal<ScheduleArgumentError>([&] {
    place_buffer(m.state, AccessKind::Reads, {"C", "B", {}, {}, "", {}}, samples::at(9));
  });
  EXPECT_EQ(report.what, "buffer_read(B) has neither a region nor a position");
}

TEST(PlaceBuffer, LoopsThatMoveNoIndexAreNoneOfARegion) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto loops = {m.lx, m.yo, m.yi, m.ko, -1, m.ki};
  const schedule::Region b = varying_loops(m.state, AccessKind::Reads, "C", "B", loops);
  EXPECT_EQ(schedule::to_string(m.state, b), "[y.o, y.i, k.o, k.i]");
  const schedule::Region c = varying_loops(m.state, AccessKind::Writes, "C", "C", loops);
  EXPECT_EQ(schedule::to_string(m.state, c), "[x, y.o, y.i]");
}

TEST(PlaceBuffer, RefusesALoopThatWasReplaced) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto report = refusal<ScheduleArgumentError>([&] {
    place_buffer(m.state, AccessKind::Reads, {"C", "B", region_of({m.ly}), {}, "", {}},
                 samples::at(9));
  });
  EXPECT_EQ(report.what, "buffer_read(B, [y]): axis 'y' is no longer there");
}

TEST(PlaceBuffer, FindsTheStageThatUsesATensor) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const dsl::Tensor& c = m.state.program->outputs[0];
  EXPECT_EQ(users_of(m.state, "A", AccessKind::Reads), std::vector<std::string>{"C"});
  EXPECT_TRUE(users_of(m.state, "A", AccessKind::Writes).empty());
  EXPECT_EQ(serving_stage(m.state, AccessKind::Writes, c, "", samples::at(9)), "C");
  const auto report = refusal<ScheduleArgumentError>(
      [&] { serving_stage(m.state, AccessKind::Reads, c, "", samples::at(9)); });
  EXPECT_EQ(report.what, "buffer_read: no stage of this schedule reads 'C'");
  EXPECT_EQ(report.why, "its stages are 'C'");
}

}  // namespace
}  // namespace solway::driver
