#include "memory_planner/vector_stage.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "dsl/terms_where.h"
#include "schedule/vectorize.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

TEST(VectorStage, AProductReadsTwoAndHoldsOne) {
  const VectorStage stage = testing::product(8, 32, 64);
  ASSERT_EQ(stage.accesses.size(), 3U);
  EXPECT_EQ(stage.accesses[0].array, "A");
  EXPECT_FALSE(stage.accesses[0].depends(1));
  EXPECT_TRUE(stage.accesses[0].depends(2));
  EXPECT_EQ(stage.accesses[1].steps[1], 1);
  EXPECT_TRUE(stage.accesses[2].is_written);
  EXPECT_EQ(stage.lanes, 16);
  EXPECT_TRUE(stage.is_update && stage.has_free_order && stage.can_hold);
  EXPECT_EQ(stage.result, "C");
  EXPECT_EQ(stage.chain_cycles, 4);
}

TEST(VectorStage, OfNestedReductionsTheTermsCount) {
  const samples::NestedMatmul nested(8, 32, 64);
  const VectorStage stage =
      describe_stage(schedule::make_state({nested.d}, {}), "D", testing::vector_machine());
  EXPECT_EQ(stage.statements, 2);
  EXPECT_TRUE(stage.is_update);
  EXPECT_EQ(stage.result, "D_r0");
}

TEST(VectorStage, ATypeWithoutVectorsHasNoLanes) {
  const samples::Matmul matmul(8, 32, 64, DType::UInt8);
  const VectorStage stage =
      describe_stage(schedule::make_state({matmul.c}, {}), "C", testing::vector_machine());
  EXPECT_EQ(stage.lanes, 1);
  EXPECT_NE(stage.no_vector.find("uint8"), std::string::npos);
}

TEST(VectorStage, BytesSideBySideInFoursAreDots) {
  const Target machine = testing::vector_machine_with_dots();
  const schedule::State state = testing::product_of_bytes(8, 32, 22);
  const VectorStage stage = describe_stage(state, "C", machine);
  EXPECT_EQ(stage.lanes, 16);
  EXPECT_EQ(stage.dots, (std::vector<bool>{false, false, true}));
  EXPECT_TRUE(describe_stage(state, "C", testing::vector_machine()).dots.empty());
  EXPECT_EQ(describe_stage(testing::product_of_bytes(8, 32, 3), "C", machine).dots,
            (std::vector<bool>{false, false, false}));
  const samples::Matmul plain(8, 32, 64, DType::Int32);
  const schedule::State other = schedule::make_state({plain.c}, {});
  EXPECT_TRUE(describe_stage(other, "C", machine).dots.empty());
}

TEST(VectorStage, GroupsMayLieApartInOneOperand) {
  const schedule::State state = testing::product_of_rows_of_bytes(8, 32, 64);
  const VectorStage stage = describe_stage(state, "C", testing::vector_machine_with_dots());
  EXPECT_EQ(stage.dots, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(stage.accesses[0].groups, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(stage.accesses[1].groups, (std::vector<bool>{false, false, false}));
}

/// C[i, j] = sum of A[i, k] * A[j, k], or of A[i, k] * A[i, k + 1].
VectorStage of_one_array(bool are_apart) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder({64, 65}, DType::Float32, "A", at);
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 64, at);
  const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 64, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 64, at);
  const auto value = [](const dsl::Axis& axis) { return samples::value_of(axis); };
  const auto one = dsl::make_int(1, DType::Int64, true, at);
  const auto next = dsl::make_binary(BinaryOp::Add, value(k), one, at);
  const auto other = are_apart ? dsl::make_read(a, {value(j), value(k)}, at)
                               : dsl::make_read(a, {value(i), next}, at);
  const auto term =
      dsl::make_binary(BinaryOp::Mul, dsl::make_read(a, {value(i), value(k)}, at), other, at);
  const auto sum = dsl::make_reduce(ReduceOp::Sum, term, {k}, at);
  const auto c = dsl::make_compute({64, 64}, {i, j}, sum, "C", at);
  return describe_stage(schedule::make_state({c}, {}), "C", testing::vector_machine());
}

TEST(VectorStage, ReferencesToOneArrayThatMoveApartAreTold) {
  const VectorStage apart = of_one_array(true);
  EXPECT_EQ(apart.accesses[0].references, (std::vector<int>{0}));
  EXPECT_EQ(apart.accesses[1].references, (std::vector<int>{1}));
  const VectorStage together = of_one_array(false);
  EXPECT_EQ(together.accesses[0].references, std::nullopt);
  EXPECT_EQ(together.accesses[1].references, std::nullopt);
  EXPECT_EQ(describe_stage(schedule::make_state({samples::Matmul(8, 32, 64).c}, {}), "C",
                           testing::vector_machine())
                .accesses[0]
                .references,
            std::nullopt);
}

/// Rows that others share are copied for them alone.
TEST(VectorStage, OnePanelServesTheReferencesOfItsLanes) {
  const VectorStage stage = of_one_array(true);
  const VectorPlan plan = plan_vectors(stage, testing::vector_machine(), 4).front();
  ASSERT_EQ(plan.panels.size(), 1U);
  const int of_lanes = stage.accesses[0].depends(plan.vector) ? 0 : 1;
  EXPECT_EQ(plan.panels[0].references, (std::vector<int>{of_lanes}));
}

TEST(VectorStage, AMarkedLoopIsFixed) {
  const samples::Matmul matmul(8, 32, 64);
  const schedule::State state = schedule::make_state({matmul.c}, {});
  const schedule::State marked =
      schedule::vectorize(state, "C", state.stage_loops.at("C")[1], samples::at(9));
  const VectorStage stage = describe_stage(marked, "C", testing::vector_machine());
  EXPECT_EQ(stage.loops[1].tiling, Tiling::Outside);
  EXPECT_EQ(stage.loops[0].tiling, Tiling::Free);
}

/// C[m] = sum over c, r of X[..] * W[..], `is_last`: channels lie innermost; with a border, rows
/// are terms only where they lie in the image.
VectorStage column(bool is_last, bool has_border) {
  const auto at = samples::at(4);
  const auto shape = [&](std::int64_t rows) {
    return is_last ? std::vector<std::int64_t>{rows, 8} : std::vector<std::int64_t>{8, rows};
  };
  const auto x = dsl::make_placeholder(shape(has_border ? 20 : 22), DType::Float32, "X", at);
  const auto w = dsl::make_placeholder(shape(3), DType::Float32, "W", at);
  const auto m = dsl::make_axis("m", dsl::AxisKind::Spatial, 0, 20, at);
  const auto c = dsl::make_axis("c", dsl::AxisKind::Reduce, 0, 8, at);
  const auto r = dsl::make_axis("r", dsl::AxisKind::Reduce, 0, 3, at);
  const auto value = [](const dsl::Axis& axis) { return samples::value_of(axis); };
  const auto number = [&](std::int64_t n) { return dsl::make_int(n, DType::Int64, true, at); };
  const auto indices = [&](const dsl::Expr& row) {
    return is_last ? std::vector{row, value(c)} : std::vector{value(c), row};
  };
  dsl::Expr row = dsl::make_binary(BinaryOp::Add, value(m), value(r), at);
  if (has_border) row = dsl::make_binary(BinaryOp::Sub, row, number(1), at);
  const auto term = dsl::make_binary(BinaryOp::Mul, dsl::make_read(x, indices(row), at),
                                     dsl::make_read(w, indices(value(r)), at), at);
  dsl::Expr terms = term;
  if (has_border) {
    const auto inside =
        dsl::make_binary(BinaryOp::And, dsl::make_binary(BinaryOp::Ge, row, number(0), at),
                         dsl::make_binary(BinaryOp::Lt, row, number(20), at), at);
    terms = dsl::make_terms_where(ReduceOp::Sum, term, inside, at);
  }
  const auto sum = dsl::make_reduce(ReduceOp::Sum, terms, {c, r}, at);
  const auto y = dsl::make_compute({20}, {m}, sum, "C", at);
  return describe_stage(schedule::make_state({y}, {}), "C", testing::vector_machine());
}

TEST(VectorStage, TermsComeInTheOrderOfMemory) {
  EXPECT_EQ(column(false, false).loops[1].name, "c");
  const VectorStage stage = column(true, false);
  EXPECT_EQ(stage.loops[1].name, "r");
  EXPECT_EQ(stage.loops[2].name, "c");
  EXPECT_EQ(stage.accesses[0].steps, (std::vector<std::optional<std::int64_t>>{8, 8, 1}));
}

TEST(VectorStage, LoopsOfOtherStatementsStartNowhere) {
  const samples::NestedMatmul nested(8, 32, 64);
  const VectorStage stage =
      describe_stage(schedule::make_state({nested.d}, {}), "D", testing::vector_machine());
  EXPECT_EQ(stage.starts_late, std::vector<bool>(stage.loops.size(), false));
}

TEST(VectorStage, LoopsStartLateWhereABorderIsLeftOut) {
  EXPECT_EQ(column(false, true).starts_late, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(column(false, false).starts_late, (std::vector<bool>{false, false, false}));
}

}  // namespace
}  // namespace solway::memory_planner
