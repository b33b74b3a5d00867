#include "memory_planner/lane_plans.h"

#include <utility>

#include <gtest/gtest.h>

#include "dsl/reducer.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

VectorPlan best_plan(const VectorStage& stage) {
  return plan_vectors(stage, testing::vector_machine(), 4).front();
}

/// Nothing but lanes of a loop.
VectorPlan lanes_along(const VectorStage& stage, int loop) {
  VectorPlan out;
  out.vector = loop;
  out.held.assign(stage.loops.size(), 1);
  out.written_out.assign(stage.loops.size(), false);
  return out;
}

TEST(LanePlans, SizesAreEven) {
  EXPECT_EQ(even_sizes(10, 5), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(even_sizes(49, 14), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 9, 10, 13}));
  EXPECT_EQ(even_sizes(3, 8), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(LanePlans, RowsOfABlockThatEndsAnywhereDivideIt) {
  VectorStage stage = testing::product(32, 64, 16);
  EXPECT_EQ(row_sizes(stage, 0, 12), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 11}));
  stage.cut_blocks = {true, false, false};
  EXPECT_EQ(row_sizes(stage, 0, 12), (std::vector<std::int64_t>{1, 2, 4, 8}));
  EXPECT_EQ(row_sizes(stage, 1, 5), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
}

/// B[i, j] = -A[j, i], or A[i, j].
VectorStage negated(std::int64_t rows, std::int64_t columns, bool turned) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder(
      turned ? std::vector{columns, rows} : std::vector{rows, columns}, DType::Float32, "A", at);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, rows, at);
  const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, columns, at);
  std::vector<dsl::Expr> indices{samples::value_of(i), samples::value_of(j)};
  if (turned) std::swap(indices[0], indices[1]);
  const auto value = dsl::make_unary(UnaryOp::Neg, dsl::make_read(a, indices, at), at);
  const auto b = dsl::make_compute({rows, columns}, {i, j}, value, "B", at);
  return describe_stage(schedule::make_state({b}, {}), "B", testing::vector_machine());
}

TEST(LanePlans, WhatIsReadAlongAnotherLoopIsTurnedInSquares) {
  const VectorPlan plan = best_plan(negated(100, 200, true));
  EXPECT_EQ(plan.vector, 1);
  EXPECT_EQ(plan.turned, 0);
  EXPECT_EQ(plan.held, (std::vector<std::int64_t>{16, 1}));
  EXPECT_EQ(best_plan(negated(100, 200, false)).turned, -1);
}

/// A machine has masks, or not.
VectorPlan turned_of(std::int64_t rows, std::int64_t columns, bool has_masks) {
  VectorStage stage = negated(rows, columns, true);
  EXPECT_TRUE(stage.has_masks);  // of 512 bits
  stage.has_masks = has_masks;
  return best_plan(stage);
}

TEST(LanePlans, WithMasksSquaresHaveFewerLanesAndRows) {
  for (const std::int64_t few : {5, 12}) {
    EXPECT_EQ(turned_of(100, few, true).turned, 0);
    EXPECT_EQ(turned_of(100, few, true).held, (std::vector<std::int64_t>{16, 1}));
    EXPECT_EQ(turned_of(few, 200, true).turned, 0);
    EXPECT_EQ(turned_of(few, 200, true).held, (std::vector<std::int64_t>{few, 1}));
    EXPECT_EQ(turned_of(100, few, false).turned, -1);
    EXPECT_EQ(turned_of(few, 200, false).turned, -1);
  }
  EXPECT_EQ(turned_of(100, 4, true).turned, -1);  // whole vectors reach them
  EXPECT_EQ(turned_of(4, 200, true).turned, -1);
}

/// C[i, j] = sum of A[i, k] * B[j, k]: both operands lie along the terms.
VectorStage rows_by_rows(std::int64_t m, std::int64_t n, std::int64_t depth) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder({m, depth}, DType::Float32, "A", at);
  const auto b = dsl::make_placeholder({n, depth}, DType::Float32, "B", at);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, m, at);
  const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, n, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, depth, at);
  const auto read = [&](const dsl::Tensor& tensor, const dsl::Axis& row) {
    return dsl::make_read(tensor, {samples::value_of(row), samples::value_of(k)}, at);
  };
  const auto term = dsl::make_binary(BinaryOp::Mul, read(a, i), read(b, j), at);
  const auto sum = dsl::make_reduce(ReduceOp::Sum, term, {k}, at);
  const auto c = dsl::make_compute({m, n}, {i, j}, sum, "C", at);
  return describe_stage(schedule::make_state({c}, {}), "C", testing::vector_machine());
}

TEST(LanePlans, FewRowsThatLieAlongTheTermsAreTilesOfSumsInLanes) {
  const VectorStage stage = rows_by_rows(4, 4096, 1024);
  const VectorPlan plan = best_plan(stage);
  EXPECT_EQ(plan.vector, 2);
  EXPECT_FALSE(plan.in_registers);
  EXPECT_EQ(plan.held[0], 4);
  EXPECT_GT(plan.held[1], 1);
  EXPECT_LT(registers_of(stage, plan), 32);
}

TEST(LanePlans, OneRowIsReadOnceAndHasNoTiles) {
  const VectorPlan plan = best_plan(rows_by_rows(1, 4096, 1024));
  EXPECT_EQ(plan.vector, 2);
  EXPECT_EQ(plan.held, (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(LanePlans, TilesOfSumsFitTheRegistersAndLoadForSeveral) {
  const CacheModel caches = caches_of(testing::vector_machine());
  const VectorStage stage = rows_by_rows(4, 96, 64);
  const std::vector<VectorPlan> tiles = tiles_of_sums(stage, lanes_along(stage, 2), caches);
  EXPECT_FALSE(tiles.empty());
  for (const VectorPlan& plan : tiles) {
    EXPECT_LT(registers_of(stage, plan), caches.registers);
    EXPECT_GT(plan.held[0], 1);
    EXPECT_GT(plan.held[1], 1);  // else the rows of one operand are of one sum each
  }
}

TEST(LanePlans, SquaresAreOfLoopsAlongWhichOperandsHaveNeighbours) {
  const VectorStage stage = negated(100, 200, true);
  const std::vector<VectorPlan> found = squares(stage, lanes_along(stage, 1));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].turned, 0);
  EXPECT_TRUE(squares(stage, lanes_along(stage, 0)).empty());  // stores would lie apart
}

/// B[i, c] = -A[i] of `count` c, or B[c, i].
VectorStage side_by_side(std::int64_t rows, std::int64_t count, bool is_turned = false) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder({rows}, DType::Float32, "A", at);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, rows, at);
  const auto c = dsl::make_axis("c", dsl::AxisKind::Spatial, 0, count, at);
  const auto value =
      dsl::make_unary(UnaryOp::Neg, dsl::make_read(a, {samples::value_of(i)}, at), at);
  const auto b = is_turned ? dsl::make_compute({count, rows}, {c, i}, value, "B", at)
                           : dsl::make_compute({rows, count}, {i, c}, value, "B", at);
  return describe_stage(schedule::make_state({b}, {}), "B", testing::vector_machine());
}

TEST(LanePlans, FewResultsSideBySideAreStoredTogether) {
  for (const std::int64_t count : {2, 3, 4}) {
    const VectorPlan plan = best_plan(side_by_side(100, count));
    EXPECT_EQ(plan.vector, 0);
    EXPECT_EQ(plan.interleaved, 1);
    EXPECT_EQ(plan.held, (std::vector<std::int64_t>{1, count}));
  }
  EXPECT_EQ(best_plan(side_by_side(100, 5)).interleaved, -1);
  EXPECT_EQ(best_plan(side_by_side(12, 2)).interleaved, -1);  // fills no vector
  EXPECT_EQ(best_plan(side_by_side(100, 2, true)).interleaved, -1);
}

/// B[c, i] = -A[i, c] of `count` c.
VectorStage apart(std::int64_t rows, std::int64_t count) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder({rows, count}, DType::Float32, "A", at);
  const auto c = dsl::make_axis("c", dsl::AxisKind::Spatial, 0, count, at);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, rows, at);
  const auto read = dsl::make_read(a, {samples::value_of(i), samples::value_of(c)}, at);
  const auto b =
      dsl::make_compute({count, rows}, {c, i}, dsl::make_unary(UnaryOp::Neg, read, at), "B", at);
  return describe_stage(schedule::make_state({b}, {}), "B", testing::vector_machine());
}

TEST(LanePlans, FewOperandsSideBySideAreLoadedTogether) {
  for (const std::int64_t count : {2, 3, 4}) {
    const VectorPlan plan = best_plan(apart(100, count));
    EXPECT_EQ(plan.vector, 1);
    EXPECT_EQ(plan.interleaved, 0);
    EXPECT_EQ(plan.held, (std::vector<std::int64_t>{count, 1}));
  }
  EXPECT_EQ(best_plan(apart(100, 5)).interleaved, -1);
}

/// C[i] = sum of A[i, k] over k, or of A[i, j, k] over both.
VectorStage short_sums(std::int64_t count, std::int64_t terms, std::int64_t outer = 0) {
  const auto at = samples::at(4);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, count, at);
  const auto j = dsl::make_axis("j", dsl::AxisKind::Reduce, 0, outer, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, terms, at);
  const bool has_outer = outer > 0;
  const auto a = dsl::make_placeholder(
      has_outer ? std::vector{count, outer, terms} : std::vector{count, terms}, DType::Float32, "A",
      at);
  std::vector<dsl::Expr> place{samples::value_of(i)};
  if (has_outer) place.push_back(samples::value_of(j));
  place.push_back(samples::value_of(k));
  const auto sum = dsl::make_reduce(ReduceOp::Sum, dsl::make_read(a, place, at),
                                    has_outer ? std::vector{j, k} : std::vector{k}, at);
  const auto c = dsl::make_compute({count}, {i}, sum, "C", at);
  return describe_stage(schedule::make_state({c}, {}), "C", testing::vector_machine());
}

TEST(LanePlans, FewTermsSideBySideAreTurnedInSquares) {
  const VectorPlan plan = best_plan(short_sums(100, 8));
  EXPECT_EQ(plan.vector, 0);
  EXPECT_EQ(plan.turned, 1);
  EXPECT_EQ(plan.written_out, (std::vector<bool>{false, true}));
  EXPECT_TRUE(plan.in_registers);
  EXPECT_EQ(best_plan(short_sums(100, 100)).vector, 1);  // along long rows
  EXPECT_TRUE(squares_of_terms(short_sums(100, 17), lanes_along(short_sums(100, 17), 0)).empty());
  VectorStage late = short_sums(100, 8);
  late.starts_late[0] = true;  // vectors in part have no squares
  EXPECT_TRUE(squares_of_terms(late, lanes_along(late, 0)).empty());
  const VectorStage both = short_sums(100, 8, 3);
  EXPECT_TRUE(squares_of_terms(both, lanes_along(both, 0)).empty());  // of several loops
}

/// C[i] = argmax of A[i, k] over k, or of A[k, i].
VectorStage positions(std::int64_t count, std::int64_t terms, bool along_rows) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder(
      along_rows ? std::vector{count, terms} : std::vector{terms, count}, DType::Float32, "A", at);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, count, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, terms, at);
  std::vector<dsl::Expr> indices{samples::value_of(i), samples::value_of(k)};
  if (!along_rows) std::swap(indices[0], indices[1]);
  const auto value =
      dsl::make_arg_reduce(dsl::Extreme::Largest, dsl::make_read(a, indices, at), {k}, at);
  const auto c = dsl::make_compute({count}, {i}, value, "C", at);
  return describe_stage(schedule::make_state({c}, {}), "C", testing::vector_machine());
}

TEST(LanePlans, SeveralValuesCombineInLanesOfTheirTerms) {
  const VectorStage stage = positions(50, 1000, true);
  EXPECT_TRUE(stage.has_states);
  const VectorPlan plan = best_plan(stage);
  EXPECT_EQ(plan.vector, 1);
  EXPECT_EQ(plan.held, (std::vector<std::int64_t>{1, 1}));
  EXPECT_FALSE(plan.in_registers);
}

TEST(LanePlans, SeveralElementsOfSeveralValuesHideWhatEachWaitsFor) {
  const VectorPlan plan = best_plan(positions(512, 1000, false));
  EXPECT_EQ(plan.vector, 0);
  EXPECT_EQ(plan.held, (std::vector<std::int64_t>{4, 1}));
  EXPECT_EQ(best_plan(positions(16, 1000, false)).held, (std::vector<std::int64_t>{2, 1}));
}

}  // namespace
}  // namespace solway::memory_planner
