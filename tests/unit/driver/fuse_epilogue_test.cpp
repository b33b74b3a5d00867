#include "driver/fuse_epilogue.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "schedule/compute_root.h"

#include "tests/unit/driver/product_with_reader.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::VectorPlan;
using memory_planner::VectorStage;
using memory_planner::testing::vector_machine;
using samples::at;
using schedule::State;

struct Layer : testing::ProductWithReader {
  using ProductWithReader::ProductWithReader;

  std::optional<FusedEpilogue> fuse(const VectorPlan& plan) const {
    const VectorStage stage = memory_planner::describe_stage(state, "C", vector_machine());
    return fuse_epilogue(state, stage, plan, vector_machine(), at(9));
  }

  VectorPlan best() const {
    const VectorStage stage = memory_planner::describe_stage(state, "C", vector_machine());
    return memory_planner::plan_vectors(stage, vector_machine(), 2).front();
  }
};

TEST(FuseEpilogue, AProductIsComputedInTheTilesOfItsReader) {
  const Layer layer(24, 128, 64);
  const auto made = layer.fuse(layer.best());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->reader, "D");
  EXPECT_TRUE(schedule::is_placed(made->written.state, "C"));
}

dsl::Expr square(const testing::Element& element) {
  return dsl::make_binary(BinaryOp::Mul, element(), element(), at(5));
}

dsl::Expr times_erf(const testing::Element& element) {
  const dsl::Expr erf = dsl::make_unary(UnaryOp::Erf, element(), at(5));
  return dsl::make_binary(BinaryOp::Mul, element(), erf, at(5));
}

TEST(FuseEpilogue, AReaderMayNameAnElementTwice) {
  const Layer layer(24, 128, 64, square);
  const auto made = layer.fuse(layer.best());
  ASSERT_TRUE(made);
  EXPECT_TRUE(schedule::is_placed(made->written.state, "C"));
}

TEST(FuseEpilogue, RowsOfALongBodyRunOneAfterTheOther) {
  const auto has_jumps = [](const Layer& layer) {
    const State state = layer.fuse(layer.best()).value().written.state;
    return std::none_of(state.stage_loops.at("D").begin(), state.stage_loops.at("D").end(),
                        [&](schedule::LoopId id) {
                          return state.order.loop(id).mark == schedule::LoopMark::Unrolled;
                        });
  };
  EXPECT_FALSE(has_jumps(Layer(24, 128, 64, square)));
  EXPECT_TRUE(has_jumps(Layer(24, 128, 64, times_erf)));
}

TEST(FuseEpilogue, InRegistersOfEachLaneWhereLanesAreCountedWhenItRuns) {
  const Layer layer(24, 100, 64);
  const Target machine = load_target("aarch64-sve", at(8));
  const VectorStage stage = memory_planner::describe_stage(layer.state, "C", machine);
  VectorPlan plan = memory_planner::plan_vectors(stage, machine, 2).front();
  plan.panels.clear();
  const auto made = fuse_epilogue(layer.state, stage, plan, machine, at(9));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->written.state.program->array("C").scope, "register");
  const schedule::LoopId lanes = layer.state.stage_loops.at("D")[1];
  EXPECT_EQ(made->written.state.order.loop(lanes).mark, schedule::LoopMark::Vectorized);
  plan.panels.push_back({"B", -1});
  EXPECT_FALSE(fuse_epilogue(layer.state, stage, plan, machine, at(9)));
}

TEST(FuseEpilogue, NotWithBlocksOfTheReduction) {
  const Layer layer(24, 128, 64);
  VectorPlan plan = layer.best();
  plan.blocked = 2;
  plan.block = 8;
  EXPECT_FALSE(layer.fuse(plan));
}

TEST(FuseEpilogue, NotWhereAVectorIsNotFull) {
  const Layer layer(24, 100, 64);
  EXPECT_FALSE(layer.fuse(layer.best()));
}

TEST(FuseEpilogue, NotWhereLanesOfTheResultLieApart) {
  const Layer layer(64, 128, 64);
  VectorPlan plan = layer.best();
  ASSERT_EQ(plan.vector, 1);
  EXPECT_TRUE(layer.fuse(plan));
  plan.vector = 0;  // down the rows
  plan.held = {1, 6, 1};
  plan.outer = {1, 0};
  EXPECT_FALSE(layer.fuse(plan));
}

TEST(FuseEpilogue, NotWhereOneTileIsAll) {
  const Layer layer(2, 16, 64);
  EXPECT_FALSE(layer.fuse(layer.best()));
}

}  // namespace
}  // namespace solway::driver
