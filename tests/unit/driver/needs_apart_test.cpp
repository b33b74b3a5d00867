#include "driver/needs_apart.h"

#include <gtest/gtest.h>

#include "tests/support/sample_programs.h"
#include "tests/unit/driver/row_samples.h"

namespace solway::driver {
namespace {

using schedule::State;
using testing::Rows;

TEST(NeedsApart, EachRowNeedsItsOwnElement) {
  const State state = schedule::make_state({Rows().y}, {});
  const std::vector<schedule::LoopId>& loops = state.stage_loops.at("Y");
  EXPECT_TRUE(needs_differ(state, "M", "Y", loops[0]));
  EXPECT_FALSE(needs_differ(state, "M", "Y", loops[1]));  // all columns need that of the row
  EXPECT_EQ(deepest_level(state, "M", "Y", Sharing::OfOperands), loops[0]);
}

TEST(NeedsApart, NoLevelWhereNeighboursNeedTheSame) {
  const samples::Pipeline pipeline(10);  // each element of P is read by two iterations
  const State state = schedule::make_state({pipeline.c}, {});
  EXPECT_FALSE(needs_differ(state, "P", "C", state.stage_loops.at("C")[0]));
  EXPECT_FALSE(deepest_level(state, "P", "C", Sharing::OfOperands));
}

TEST(NeedsApart, NoLevelWhereAllRowsNeedTheSame) {
  const dsl::Tensor x = dsl::make_placeholder({6}, DType::Float32, "X", samples::at(1));
  const auto negated = [](const dsl::Expr& value) {
    return dsl::make_unary(UnaryOp::Neg, value, samples::at(4));
  };
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Spatial, 0, 6, samples::at(4));
  const dsl::Tensor m =
      dsl::make_compute({6}, {k}, negated(testing::read(x, {k})), "M", samples::at(4));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(4));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 6, samples::at(4));
  const dsl::Tensor rows =
      dsl::make_compute({8, 6}, {i, j}, negated(testing::read(m, {j})), "N", samples::at(4));
  EXPECT_FALSE(deepest_level(schedule::make_state({rows}, {}), "M", "N", Sharing::OfOperands));
}

TEST(NeedsApart, ALoopOfOneRowIsNoLevel) {
  const State state = schedule::make_state({Rows(1).y}, {});
  EXPECT_FALSE(deepest_level(state, "M", "Y", Sharing::OfOperands));
}

TEST(NeedsApart, RowsOfAProductShareAnOperand) {
  const samples::Matmul product(8, 6, 4);
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(4));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 6, samples::at(4));
  const dsl::Expr sum = testing::read(product.c, {i, j});
  const dsl::Tensor negated = dsl::make_compute(
      {8, 6}, {i, j}, dsl::make_unary(UnaryOp::Neg, sum, samples::at(4)), "N", samples::at(4));
  const State state = schedule::make_state({negated}, {});
  EXPECT_EQ(deepest_level(state, "C", "N", Sharing::OfOperands), state.stage_loops.at("N")[0]);
  EXPECT_FALSE(deepest_level(state, "C", "N", Sharing::OfNothing));  // all rows read B
}

}  // namespace
}  // namespace solway::driver
