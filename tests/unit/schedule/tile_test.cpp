#include "schedule/tile.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Tile, IsTwoSplitsAndAReorder) {
  const ScheduledMatmul m(8, 6, 3);
  const TileResult r = tile(m.state, "C", m.lx, m.ly, 4, 2, samples::at(9));
  EXPECT_EQ(r.state.stage_loops.at("C"), (std::vector<LoopId>{r.io, r.jo, r.ii, r.ji, m.lk}));
  EXPECT_EQ(r.state.order.loop(r.io).extent(), 2);
  EXPECT_EQ(r.state.order.loop(r.jo).extent(), 3);
  EXPECT_EQ(r.state.order.loop(r.ii).extent(), 4);
  EXPECT_EQ(r.state.order.loop(r.ji).extent(), 2);
  ASSERT_EQ(r.state.log.size(), 3U);
  EXPECT_EQ(r.state.log[0].primitive, "split");
  EXPECT_EQ(r.state.log[1].primitive, "split");
  EXPECT_EQ(r.state.log[2].primitive, "reorder");
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              tile(m.state, "C", m.lx, m.ly, 0, 2, samples::at(9));
            }).where.line,
            9);
  const auto twice =
      refusal<ScheduleArgumentError>([&] { tile(m.state, "C", m.lx, m.lx, 4, 2, samples::at(9)); });
  EXPECT_EQ(twice.what, "tile: axis 'x' is named twice");
}

}  // namespace
}  // namespace solway::schedule
