#include "driver/write_vector_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::VectorPlan;
using memory_planner::VectorStage;
using memory_planner::testing::vector_machine;
using testing::ElementsAre;

struct Product {
  samples::Matmul matmul{24, 128, 64};
  schedule::State state = schedule::make_state({matmul.c}, {});
  VectorStage stage = memory_planner::describe_stage(state, "C", vector_machine());
  VectorPlan plan;

  Product() {
    plan.vector = 1;
    plan.held = {6, 4, 1};
    plan.written_out = {false, false, false};
    plan.outer = {1, 0};
    plan.in_registers = true;
  }
  WrittenVectors write() const { return write_vector_plan(state, stage, plan, samples::at(9)); }
};

std::vector<std::string> primitives(const schedule::State& state) {
  std::vector<std::string> out;
  for (const schedule::Step& step : state.log) out.push_back(step.primitive);
  return out;
}

TEST(WriteVectorPlan, ATileBecomesPrimitives) {
  const WrittenVectors made = Product().write();
  EXPECT_THAT(primitives(made.state),
              ElementsAre("split", "split", "reorder", "unroll", "vectorize", "buffer_write"));
  EXPECT_THAT(made.buffers, ElementsAre("CC"));
  EXPECT_TRUE(made.remarks.empty());
}

TEST(WriteVectorPlan, ABlockOfTheReductionStandsAround) {
  Product product;
  product.plan.blocked = 2;
  product.plan.block = 16;
  product.plan.panels = {{"B", -1}};
  const WrittenVectors made = product.write();
  std::vector<std::string> loops;
  for (const schedule::LoopId id : made.state.stage_loops.at("C")) {
    loops.push_back(schedule::loop_name(made.state, id));
  }
  EXPECT_THAT(loops, ElementsAre("k.o", "y.o", "x.o", "k.i", "x.i", "y.i"));
  EXPECT_THAT(made.buffers, ElementsAre("BB", "CC"));
}

TEST(WriteVectorPlan, GroupsOfTilesStandAroundAndTermsTogetherInside) {
  Product product;
  product.plan.groups = {0, 2};
  product.plan.together = {2, 4};
  const WrittenVectors made = product.write();
  std::vector<std::string> loops;
  for (const schedule::LoopId id : made.state.stage_loops.at("C")) {
    loops.push_back(schedule::loop_name(made.state, id));
  }
  EXPECT_THAT(loops, ElementsAre("x.o.o", "y.o", "x.o.i", "k.o", "k.i", "x.i", "y.i"));
  EXPECT_THAT(made.buffers, ElementsAre("CC"));
  EXPECT_TRUE(made.remarks.empty());
}

TEST(WriteVectorPlan, OneGroupIsNoLoop) {
  Product product;
  product.plan.groups = {0, 4};  // of four tiles
  product.plan.together = {2, 64};
  std::vector<std::string> loops;
  const WrittenVectors made = product.write();
  for (const schedule::LoopId id : made.state.stage_loops.at("C")) {
    loops.push_back(schedule::loop_name(made.state, id));
  }
  EXPECT_THAT(loops, ElementsAre("y.o", "x.o", "k", "x.i", "y.i"));
}

TEST(WriteVectorPlan, LinesAreAskedForInTheLoopOfTheReduction) {
  Product product;
  product.plan.early = {{"B", 2, 8}};
  const WrittenVectors made = product.write();
  ASSERT_EQ(made.state.prefetched_lines.size(), 1U);
  const schedule::PrefetchedLines& lines = made.state.prefetched_lines[0];
  EXPECT_EQ(lines.tensor, "B");
  EXPECT_EQ(schedule::loop_name(made.state, lines.loop), "k");
  EXPECT_EQ(lines.distance, 8);
}

TEST(WriteVectorPlan, LinesOfTheNextTileAreSpreadOverTheReduction) {
  Product product;
  product.plan.early = {{"A", 0, 1, 2}};
  const WrittenVectors made = product.write();
  ASSERT_EQ(made.state.prefetched_lines.size(), 1U);
  const schedule::PrefetchedLines& lines = made.state.prefetched_lines[0];
  EXPECT_EQ(schedule::loop_name(made.state, lines.loop), "x.o");
  EXPECT_EQ(schedule::loop_name(made.state, lines.inside), "k");
}

TEST(WriteVectorPlan, TheBytesOfADotStandInsideOfTheLanes) {
  const schedule::State state = memory_planner::testing::product_of_bytes(24, 128, 64);
  const Target machine = memory_planner::testing::vector_machine_with_dots();
  const VectorStage stage = memory_planner::describe_stage(state, "C", machine);
  VectorPlan plan = Product().plan;
  plan.dot = 2;
  const WrittenVectors made = write_vector_plan(state, stage, plan, samples::at(9));
  std::vector<std::string> loops;
  for (const schedule::LoopId id : made.state.stage_loops.at("C")) {
    loops.push_back(schedule::loop_name(made.state, id));
  }
  EXPECT_THAT(loops, ElementsAre("y.o", "x.o", "k.o", "x.i", "y.i", "k.i"));
  EXPECT_THAT(primitives(made.state), ElementsAre("split", "split", "split", "reorder", "unroll",
                                                  "vectorize", "unroll", "buffer_write"));
  EXPECT_THAT(made.buffers, ElementsAre("CC"));
  EXPECT_TRUE(made.remarks.empty());
}

TEST(WriteVectorPlan, APanelInGroupsHasTheTermsOfADotInnermost) {
  const schedule::State state = memory_planner::testing::product_of_rows_of_bytes(24, 128, 64);
  const Target machine = memory_planner::testing::vector_machine_with_dots();
  const VectorStage stage = memory_planner::describe_stage(state, "C", machine);
  VectorPlan plan = Product().plan;
  plan.dot = 2;
  plan.panels = {{"B", 1, false, {}, true}};
  const WrittenVectors made = write_vector_plan(state, stage, plan, samples::at(9));
  EXPECT_THAT(made.buffers, ElementsAre("BB", "CC"));
  EXPECT_TRUE(made.remarks.empty());
  const schedule::Array& panel = made.state.program->array("BB");
  ASSERT_EQ(panel.shape.size(), 3U);
  EXPECT_EQ(panel.shape[0], 16);
  EXPECT_EQ(panel.shape[2], 4);
}

/// Rows x of A in tiles of 6, in blocks of the reduction and without.
TEST(WriteVectorPlan, APanelInRowsStandsOutsideOfTheTiles) {
  for (const std::int64_t block : {0, 32}) {
    Product product;
    product.plan.panels = {{"A", -1, false, {}, false, true}};
    if (block != 0) {
      product.plan.blocked = 2;
      product.plan.block = block;
    }
    const WrittenVectors made = product.write();
    EXPECT_TRUE(made.remarks.empty());
    EXPECT_THAT(made.buffers, ElementsAre("AA", "CC"));
    EXPECT_THAT(made.state.program->array("AA").shape, ElementsAre(4, block == 0 ? 64 : block, 6));
    const auto& copy = made.state.program->buffers.at("AA");
    const std::string fill = made.state.program->statements.lower_bound("AA")->first;
    const std::vector<schedule::LoopId> around = made.state.order.placement_of(fill).path;
    EXPECT_EQ(around.size(), block == 0 ? 0U : 1U) << copy.name << ' ' << fill;
  }
}

TEST(WriteVectorPlan, TermsInLanesStandAroundTheTileOfTheirSums) {
  Product product;
  product.plan.vector = 2;
  product.plan.held = {2, 3, 1};
  product.plan.in_registers = false;
  std::vector<std::string> loops;
  const WrittenVectors made = product.write();
  for (const schedule::LoopId id : made.state.stage_loops.at("C")) {
    loops.push_back(schedule::loop_name(made.state, id));
  }
  EXPECT_THAT(loops, ElementsAre("y.o", "x.o", "k", "x.i", "y.i"));
  EXPECT_TRUE(made.buffers.empty());
}

}  // namespace
}  // namespace solway::driver
