#include "memory_planner/body_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/reducer.h"
#include "memory_planner/extract_stage.h"

#include "tests/support/far_references.h"

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;

BodyModel body_of(const dsl::Tensor& tensor, Iterated iterated = Iterated::Boxes) {
  const schedule::State state = schedule::make_state({tensor}, {});
  const PlannedStage stage = extract_stage(state, tensor->name);
  return model_body(state, stage.model, load_target("sw26010", {}), iterated);
}

TEST(BodyModel, OfNumbersTheSideOfASelectThatIsChosen) {
  const BodyModel both = body_of(samples::Padded(30).p);
  const BodyModel one = body_of(samples::Padded(30).p, Iterated::Exactly);
  EXPECT_EQ(both.filled, 1);
  EXPECT_EQ(one.filled, 1);
  // The border reads nothing.
  ASSERT_EQ(one.number_accesses.size(), one.accesses.size());
  const double inside = one.number_accesses[0] + one.number_accesses[1];
  EXPECT_GT(inside, 0.8);
  EXPECT_LT(inside, 1);
  EXPECT_TRUE(one.number_chain_cycles.has_value());
  EXPECT_FALSE(both.number_chain_cycles.has_value());
  EXPECT_EQ(one.chain_cycles, both.chain_cycles);  // vectors compute both sides
}

/// Y[i, c] = X[i, c] / sqrt(T[i])
TEST(BodyModel, WhatARowHasInCommonIsComputedBeforeIt) {
  const auto x = dsl::make_placeholder({8, 64}, DType::Float32, "X", {});
  const auto t = dsl::make_placeholder({8}, DType::Float32, "T", {});
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, {});
  const auto c = dsl::make_axis("c", dsl::AxisKind::Spatial, 0, 64, {});
  const dsl::Expr row = dsl::make_axis_ref(i, {});
  const dsl::Expr root = dsl::make_unary(UnaryOp::Sqrt, dsl::make_read(t, {row}, {}), {});
  const dsl::Expr value = dsl::make_binary(
      BinaryOp::Div, dsl::make_read(x, {row, dsl::make_axis_ref(c, {})}, {}), root, {});
  const BodyModel body = body_of(dsl::make_compute({8, 64}, {i, c}, value, "Y", {}));
  ASSERT_EQ(body.within.size(), 2U);
  EXPECT_EQ(body.issue_cycles, 68);            // the root and the division
  EXPECT_EQ(body.within[0].issue_cycles, 68);  // of each row another root
  EXPECT_EQ(body.within[1].issue_cycles, 34);
  EXPECT_EQ(body.within[1].chain_cycles, 34);
}

TEST(BodyModel, ABoxIsWhole) {
  const BodyModel body = body_of(samples::Matmul(2, 64, 64).c, Iterated::Exactly);
  EXPECT_EQ(body.filled, 1);
  EXPECT_EQ(body.entered, 1);
  EXPECT_THAT(body.number_accesses, ElementsAre(1, 1, 0));  // the sum is held
}

TEST(BodyModel, AProductThatIsAddedIsOneOperation) {
  const BodyModel body = body_of(samples::Matmul(2, 64, 64).c);
  EXPECT_TRUE(body.is_reduction);
  EXPECT_TRUE(body.is_product);
  EXPECT_EQ(body.issue_cycles, 1);
  EXPECT_EQ(body.accumulate_cycles, 7);  // a multiply-add
  EXPECT_EQ(body.lanes, 4);
  EXPECT_EQ(body.no_vector, "");
  EXPECT_THAT(body.accesses, ElementsAre(1, 1, 1));
  EXPECT_THAT(body.shapes[1], ElementsAre(64, 64));
}

TEST(BodyModel, ItsStatementAddsProductsOfATypeThatVectorsHold) {
  const schedule::State state = schedule::make_state({samples::Matmul(2, 64, 64).c}, {});
  int found = 0;
  for (const auto& [name, s] : state.program->statements) {
    if (!adds_products(s, DType::Float32)) continue;
    ++found;
    EXPECT_TRUE(adds_products(s, DType::Float64));
    EXPECT_FALSE(adds_products(s, DType::Int32));
  }
  EXPECT_EQ(found, 1);  // and not where the sums begin
}

TEST(BodyModel, PlacesThatAreReadAreCounted) {
  const BodyModel body = body_of(samples::Pipeline(10, DType::Float64).c);
  EXPECT_FALSE(body.is_reduction);
  EXPECT_FALSE(body.is_product);
  EXPECT_EQ(body.accesses[0], 2);
  EXPECT_GT(body.chain_cycles, 0);
}

TEST(BodyModel, ABorderIsAroundVectorsOfWholeRows) {
  const BodyModel body = body_of(samples::Padded(30).p);
  EXPECT_TRUE(body.cuts_rows);
  EXPECT_EQ(body.lanes, 4);
  EXPECT_EQ(body.issue_cycles, 1);  // a vector has one side
  EXPECT_GT(body.number_cycles, 3);
}

/// select(condition(i, j), A[i, j], 0)
template <typename Condition>
dsl::Tensor selected(const Condition& condition) {
  const dsl::Tensor a = dsl::make_placeholder({8, 64}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 64, samples::at(2));
  const dsl::Expr y = samples::value_of(i);
  const dsl::Expr x = samples::value_of(j);
  const dsl::Expr zero = dsl::make_float(0, DType::Float32, true, samples::at(2));
  const dsl::Expr read = dsl::make_read(a, {y, x}, samples::at(2));
  return dsl::make_compute({8, 64}, {i, j},
                           dsl::make_select(condition(y, x), read, zero, samples::at(2)), "B",
                           samples::at(2));
}

TEST(BodyModel, ConditionsOfSeveralAxesAndOfRemaindersCutNoRows) {
  const auto made = [](BinaryOp op, const dsl::Expr& a, const dsl::Expr& b) {
    return dsl::make_binary(op, a, b, samples::at(2));
  };
  const dsl::Expr five = dsl::make_int(5, DType::Int64, true, samples::at(2));
  const auto is_cut = [](const dsl::Tensor& tensor) { return body_of(tensor).cuts_rows; };
  EXPECT_TRUE(is_cut(selected([&](const dsl::Expr& y, const dsl::Expr& x) {
    return made(BinaryOp::And, made(BinaryOp::Lt, y, five), made(BinaryOp::Ge, x, five));
  })));
  EXPECT_FALSE(is_cut(selected([&](const dsl::Expr& y, const dsl::Expr& x) {
    return made(BinaryOp::Lt, made(BinaryOp::Add, y, x), five);
  })));
  EXPECT_FALSE(is_cut(selected([&](const dsl::Expr&, const dsl::Expr& x) {
    return made(BinaryOp::Lt, made(BinaryOp::Mod, x, five), five);
  })));
  EXPECT_FALSE(is_cut(
      selected([&](const dsl::Expr&, const dsl::Expr& x) { return made(BinaryOp::Eq, x, five); })));
}

TEST(BodyModel, StatementsOfANestedReductionAreCountedEachByItself) {
  const BodyModel body = body_of(samples::NestedMatmul(4, 8, 16).d);
  ASSERT_EQ(body.statements.size(), 2U);
  const StatementModel& update = body.statements[0];
  const StatementModel& outer = body.statements[1];
  EXPECT_TRUE(update.body.is_reduction);
  EXPECT_FALSE(outer.body.is_reduction);
  EXPECT_THAT(update.around, ElementsAre(true, true, true));
  EXPECT_THAT(outer.around, ElementsAre(true, true, false));
  EXPECT_EQ(outer.stage.loops[2].extent, 1);
  EXPECT_THAT(update.body.accesses, ElementsAre(1, 1, 1, 0));  // A, B, D_r0, D
  EXPECT_THAT(outer.body.accesses, ElementsAre(1, 0, 1, 1));
  EXPECT_EQ(outer.stage.tensors[2].direction, AccessDirection::Read);
  EXPECT_THAT(body.accesses, ElementsAre(2, 1, 2, 1));
  EXPECT_TRUE(body.is_reduction);
}

TEST(BodyModel, WhatTheValuesOfAReductionHaveInCommonIsCountedOnce) {
  const dsl::Tensor a = dsl::make_placeholder({8, 64}, DType::Int32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 64, samples::at(2));
  const dsl::Expr term =
      dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, samples::at(2));
  const dsl::Expr first = dsl::make_arg_reduce(dsl::Extreme::Largest, term, {k}, samples::at(2));
  const BodyModel body = body_of(dsl::make_compute({8}, {i}, first, "C", samples::at(2)));
  EXPECT_TRUE(body.is_reduction);
  EXPECT_EQ(body.lanes, 1);
  // The index; a < b, a != b, i < j, or, and; two choices; the second value is loaded and stored.
  EXPECT_EQ(body.number_cycles, 1 + 5 + 2 + 2);
  EXPECT_EQ(body.accumulate_cycles, 4);  // compared, or, and, chosen
}

TEST(BodyModel, EachGroupOfReferencesHasItsPlaces) {
  const schedule::State state = schedule::make_state({samples::sum_of_points(64, {0, 1, 64})}, {});
  Decided decided;
  decided.apart["Y"] = {"X"};
  const PlannedStage stage = extract_stage(state, "Y", {}, decided);
  const BodyModel body = model_body(state, stage.model, load_target("sw26010", {}));
  EXPECT_THAT(body.accesses, ElementsAre(2, 1, 1));
}

}  // namespace
}  // namespace solway::memory_planner
