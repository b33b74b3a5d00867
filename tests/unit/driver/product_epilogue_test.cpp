#include "driver/product_epilogue.h"

#include <gtest/gtest.h>

#include "driver/reader_loops.h"
#include "schedule/split.h"
#include "schedule/transform_layout.h"

#include "tests/unit/driver/product_with_reader.h"

namespace solway::driver {
namespace {

using testing::ProductWithReader;

TEST(ProductEpilogue, AProductAndItsReaderAreOneStage) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const auto made = product_epilogue(p.state, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->nest.reader, "D");
  EXPECT_TRUE(memory_planner::has_epilogue(made->nest.stage.model));
  ASSERT_EQ(made->nest.reader_loops.size(), 3U);
  EXPECT_EQ(made->nest.reader_loops[0], p.state.stage_loops.at("D")[0]);
  EXPECT_EQ(made->nest.reader_loops[2], kNoLoop);  // of the reduction
  EXPECT_GT(made->body.epilogue_cycles, 0);
}

TEST(ProductEpilogue, TheReaderRunsAlongWhereTheResultsLie) {
  memory_planner::PlanMemo plans;
  // Both extents are the same: only the layout says which loop of the reader is which.
  const ProductWithReader p(64, 64, 256);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 64, samples::at(6));
  const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 64, samples::at(6));
  const schedule::State turned = schedule::transform_layout(
      p.state, {p.c, {i, j}, {samples::value_of(j), samples::value_of(i)}}, samples::at(6));
  const auto made = product_epilogue(turned, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->nest.reader_loops.size(), 3U);
  EXPECT_EQ(made->nest.reader_loops[0], turned.stage_loops.at("D")[0]);
  EXPECT_EQ(made->nest.reader_loops[1], turned.stage_loops.at("D")[1]);
}

TEST(ProductEpilogue, NotWhatIsNoProductOrHasNoReader) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const Target target = load_target("sw26010", {});
  EXPECT_FALSE(product_epilogue(p.state, "D", target, plans));
  EXPECT_FALSE(product_epilogue(schedule::make_state({p.c}, {}), "C", target, plans));
  EXPECT_FALSE(
      product_epilogue(schedule::make_state({p.c, p.d}, {}), "C", target, plans));  // C is seen
}

TEST(ProductEpilogue, NotWhatTheUserHasScheduled) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const Target target = load_target("sw26010", {});
  for (const char* stage : {"C", "D"}) {
    const auto split =
        schedule::split(p.state, stage, p.state.stage_loops.at(stage)[0], 8, samples::at(9));
    EXPECT_FALSE(product_epilogue(split.state, "C", target, plans)) << stage;
  }
}

TEST(ProductEpilogue, TogetherTheProductIsNotStoredAndLoadedAgain) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(512, 512, 256);
  const Target target = load_target("sw26010", {});
  const auto made = product_epilogue(p.state, "C", target, plans);
  ASSERT_TRUE(made);
  const memory_planner::Room room{60000, 32};
  const auto together = plan_together(*made, target, room, plans);
  ASSERT_TRUE(together);
  EXPECT_LT(together->cost.total(), cycles_apart(p.state, *made, target, room, plans));
  EXPECT_FALSE(plan_together(*made, target, {64, 32}, plans));  // no room for a tile
}

TEST(ProductEpilogue, ApartBothCost) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const Target target = load_target("sw26010", {});
  const auto made = product_epilogue(p.state, "C", target, plans);
  ASSERT_TRUE(made);
  const memory_planner::Room room{60000, 32};
  const double both = cycles_apart(p.state, *made, target, room, plans);
  const ProductWithReader longer(64, 128, 512);
  const auto more = product_epilogue(longer.state, "C", target, plans);
  ASSERT_TRUE(more);
  EXPECT_GT(cycles_apart(longer.state, *more, target, room, plans), both);
}

}  // namespace
}  // namespace solway::driver
