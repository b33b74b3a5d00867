#include "driver/write_fused_nest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/product_epilogue.h"
#include "schedule/compute_root.h"

#include "tests/unit/driver/product_with_reader.h"

namespace solway::driver {
namespace {

using memory_planner::NestPlan;
using ::testing::ElementsAre;
using testing::ProductWithReader;
using ::testing::UnorderedElementsAre;

/// 64 x 128 x 256 on the mesh: tiles of 8 x 16 x 32, one for each core.
NestPlan plan_of_tiles() {
  NestPlan plan;
  plan.cuts = {{8, 8, 1}, {16, 16, 1}, {256, 32, 1}};
  plan.parallel = {0, 1};
  plan.grid = {8, 8};
  plan.outer = {2};
  plan.depths = {2, 2, 1, 1};
  plan.micro_kernel = memory_planner::ProductForm{0, 1, 2, 2, 0, 1};
  return plan;
}

TEST(WriteFusedNest, TilesOfTheProductAreUsedUpWhereTheyAreComputed) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const auto fused = product_epilogue(p.state, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(fused);
  NestPlan plan = plan_of_tiles();
  plan.shared = {schedule::SharedBy::Row, schedule::SharedBy::Column, schedule::SharedBy::Core,
                 schedule::SharedBy::Core};
  const WrittenNest made = write_fused_nest(p.state, fused->nest, plan, samples::at(9));
  EXPECT_FALSE(made.refused);
  EXPECT_TRUE(schedule::is_placed(made.state, "C"));
  EXPECT_EQ(made.parallel, "i.o, j.o");
  EXPECT_THAT(made.buffers, UnorderedElementsAre("AA", "BB", "DD"));
  EXPECT_TRUE(made.remarks.empty());
  EXPECT_EQ(made.state.program->buffers.at("AA").depth, 2);
  EXPECT_EQ(made.state.program->buffers.at("AA").shared_by, schedule::SharedBy::Row);
}

TEST(WriteFusedNest, RowsOfTheMeshHavePartsOfBothLoops) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(16, 128, 256);
  const auto fused = product_epilogue(p.state, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(fused);
  NestPlan plan = plan_of_tiles();
  plan.cuts = {{8, 8, 1}, {4, 4, 1}, {256, 32, 1}};
  plan.grid = {2, 32};
  plan.rows_of_part = 4;
  plan.shared = {schedule::SharedBy::Row, schedule::SharedBy::Core, schedule::SharedBy::Core,
                 schedule::SharedBy::Core};
  const WrittenNest made = write_fused_nest(p.state, fused->nest, plan, samples::at(9));
  EXPECT_FALSE(made.refused);
  EXPECT_EQ(made.parallel, "i.o.j.o.o, j.o.i");
  EXPECT_THAT(made.buffers, UnorderedElementsAre("AA", "BB", "DD"));
  EXPECT_EQ(made.state.program->buffers.at("AA").shared_by, schedule::SharedBy::Row);
}

TEST(WriteFusedNest, SeveralTilesOfACore) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const auto fused = product_epilogue(p.state, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(fused);
  NestPlan plan = plan_of_tiles();
  plan.cuts[0].tile = 1;
  plan.cuts[1].tile = 8;
  plan.outer = {0, 1, 2};
  plan.depths = {1, 1, 1, 2};
  const WrittenNest made = write_fused_nest(p.state, fused->nest, plan, samples::at(9));
  EXPECT_FALSE(made.refused);
  std::vector<std::string> loops;
  for (const schedule::LoopId id : made.state.stage_loops.at("D")) {
    loops.push_back(schedule::loop_name(made.state, id));
  }
  EXPECT_THAT(loops, ElementsAre("i.o", "j.o", "i.i", "j.i.o", "j.i.i"));
}

TEST(WriteFusedNest, OperandsRunAheadOverTilesOfTheReaderAndResultsLeaveLate) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(64, 128, 256);
  const auto fused = product_epilogue(p.state, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(fused);
  NestPlan plan = plan_of_tiles();
  plan.cuts[0].tile = 2;
  plan.outer = {0, 2};
  plan.across = {true, true, false, false};
  plan.late = {false, false, false, true};
  const WrittenNest made = write_fused_nest(p.state, fused->nest, plan, samples::at(9));
  EXPECT_FALSE(made.refused);
  EXPECT_TRUE(made.remarks.empty());
  EXPECT_EQ(made.state.program->buffers.at("AA").across, 2);
  EXPECT_EQ(made.state.order.placement_of("AA_get_issue").delayed, 2);
  EXPECT_EQ(made.state.program->buffers.at("DD").depth, 1);
  EXPECT_EQ(made.state.order.placement_of("DD_put_complete").delay, 1);
}

TEST(WriteFusedNest, OneTileHasNoLoopToStandIn) {
  memory_planner::PlanMemo plans;
  const ProductWithReader p(8, 16, 32);
  const auto fused = product_epilogue(p.state, "C", load_target("sw26010", {}), plans);
  ASSERT_TRUE(fused);
  NestPlan plan = plan_of_tiles();
  plan.cuts = {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}};
  plan.parallel.clear();
  plan.outer.clear();
  const WrittenNest made = write_fused_nest(p.state, fused->nest, plan, samples::at(9));
  ASSERT_TRUE(made.refused);
  EXPECT_EQ(made.refused->alone, -1);
  EXPECT_EQ(made.refused->why, "one tile of 'D' is all of it");
}

}  // namespace
}  // namespace solway::driver
