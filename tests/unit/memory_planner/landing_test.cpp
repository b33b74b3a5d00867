#include "memory_planner/landing.h"

#include <gtest/gtest.h>

#include "memory_planner/extract_stage.h"
#include "memory_planner/nest_plan.h"
#include "schedule/transform_layout.h"

#include "tests/support/sample_programs.h"

namespace solway::memory_planner {
namespace {

using schedule::State;

/// W[f, c] is read by Y[f, c] = -W[f, c], in the layout that `index` makes of f and c.
template <typename Index>
State laid_out(const Index& index, std::int64_t columns = 48) {
  const SourceLoc where = samples::at(1);
  const dsl::Tensor w = dsl::make_placeholder({32, columns}, DType::Float32, "W", where);
  const dsl::Axis f = dsl::make_axis("f", dsl::AxisKind::Spatial, 0, 32, where);
  const dsl::Axis c = dsl::make_axis("c", dsl::AxisKind::Spatial, 0, columns, where);
  const dsl::Expr read = dsl::make_read(w, {samples::value_of(f), samples::value_of(c)}, where);
  const dsl::Tensor y = dsl::make_compute({32, columns}, {f, c},
                                          dsl::make_unary(UnaryOp::Neg, read, where), "Y", where);
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 32, where);
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, columns, where);
  return schedule::transform_layout(schedule::make_state({y}, where),
                                    {w, {i, j}, index(samples::value_of(i), samples::value_of(j))},
                                    where);
}

using Exprs = std::vector<dsl::Expr>;

State turned() {
  return laid_out([](const dsl::Expr& i, const dsl::Expr& j) { return Exprs{j, i}; });
}

TEST(Landing, IsTheOrderOfDimensionsInMainMemory) {
  const auto landing = landing_of(turned(), "W_layout");
  ASSERT_TRUE(landing);
  EXPECT_EQ(landing->tensor, "W");
  EXPECT_EQ(landing->turned, (std::vector<int>{1, 0}));
  EXPECT_FALSE(landing_of(turned(), "Y"));
}

TEST(Landing, DimensionsOfOneElementHaveAPlace) {
  const State state = laid_out(
      [](const dsl::Expr& i, const dsl::Expr& j) {
        return Exprs{j, i};
      },
      1);
  const auto landing = landing_of(state, "W_layout");
  ASSERT_TRUE(landing);
  EXPECT_EQ(landing->turned, (std::vector<int>{1, 0}));
}

TEST(Landing, IsNoneWhereALayoutIsMoreThanAnOrder) {
  const SourceLoc where = samples::at(2);
  const State blocks = laid_out([&](const dsl::Expr& i, const dsl::Expr& j) {
    const dsl::Expr four = dsl::make_int(4, DType::Int64, true, where);
    return Exprs{dsl::make_binary(BinaryOp::FloorDiv, j, four, where), i,
                 dsl::make_binary(BinaryOp::Mod, j, four, where)};
  });
  EXPECT_FALSE(landing_of(blocks, "W_layout"));
}

TEST(Landing, GivesTheStageThatReadsItBothBuffers) {
  Decided decided;
  decided.turned = {"W_layout"};
  const PlannedStage stage = extract_stage(turned(), "Y", {}, decided);
  const TensorModel& tensor = stage.model.tensors[0];
  ASSERT_TRUE(tensor.landing);
  EXPECT_EQ(shape_in_memory(tensor, {48, 32}), (std::vector<std::int64_t>{32, 48}));
  const TensorModel there = in_memory(tensor);
  EXPECT_FALSE(there.landing);
  EXPECT_EQ(there.dims[0], tensor.dims[1]);
  EXPECT_EQ(there.dims[1], tensor.dims[0]);
  NestPlan plan;
  plan.cuts = {{32, 8, 1}, {48, 16, 1}};
  plan.depths = {2, 0};
  // Two regions that land, and what is made of one.
  EXPECT_EQ(buffer_bytes(stage.model, plan, 32), 3 * 8 * 16 * 4);
  EXPECT_EQ(buffer_bytes(tensor, tiles_of(plan), 32), 2 * 8 * 16 * 4);
}

TEST(Landing, TurningTakesLongerWhereVectorsAreNotFull) {
  Decided decided;
  decided.turned = {"W_layout"};
  const PlannedStage stage = extract_stage(turned(), "Y", {}, decided);
  const TensorModel& tensor = stage.model.tensors[0];
  const double full = turn_cycles(tensor, {8, 16}, 4);
  EXPECT_EQ(turn_cycles(tensor, {8, 32}, 4), 2 * full);
  EXPECT_GT(turn_cycles(tensor, {7, 16}, 4), full);
  EXPECT_GT(turn_cycles(tensor, {8, 16}, 1), full);
}

}  // namespace
}  // namespace solway::memory_planner
