#include "schedule/sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/tensor.h"
#include "schedule/fuse.h"
#include "schedule/reorder.h"
#include "schedule/rfactor.h"
#include "schedule/split.h"
#include "schedule/state.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

using testing::HasSubstr;

const SourceLoc kWhere{"user.py", 3, ""};

dsl::Size size(const std::string& name, std::int64_t max) {
  return dsl::make_size(name, 1, max, kWhere);
}

/// B[i, j] = A[i, j] of `rows` x 4.
dsl::Tensor copy_of(const dsl::Size& rows) {
  const dsl::Extent n = dsl::make_extent(dsl::make_size_ref(rows, kWhere), kWhere);
  const dsl::Tensor a = dsl::make_placeholder({n, 4}, DType::Float32, "A", kWhere);
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, kWhere);
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 4, kWhere);
  const dsl::Expr read =
      dsl::make_read(a, {dsl::make_axis_ref(i, kWhere), dsl::make_axis_ref(j, kWhere)}, kWhere);
  return dsl::make_compute({n, 4}, {i, j}, read, "B", kWhere);
}

TEST(Sizes, AreParametersWithinTheirBounds) {
  const State state = make_state({copy_of(size("n", 16))}, kWhere);
  const Program& program = *state.program;
  ASSERT_EQ(program.sizes.size(), 1U);
  EXPECT_EQ(program.sizes[0]->name, "n");
  const isl::set expected(program.ctx(),
                          "[n] -> { B[i, j] : 0 <= i < n and 0 <= j < 4 and 1 <= n <= 16 }");
  EXPECT_TRUE(program.statement("B").domain.is_equal(expected));
  EXPECT_EQ(program.array("A").shape, (std::vector<std::int64_t>{16, 4}));
}

TEST(Sizes, AConstantProgramHasNone) {
  const dsl::Tensor a = dsl::make_placeholder({4}, DType::Float32, "A", kWhere);
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, kWhere);
  const dsl::Tensor b = dsl::make_compute(
      {4}, {i}, dsl::make_read(a, {dsl::make_axis_ref(i, kWhere)}, kWhere), "B", kWhere);
  EXPECT_TRUE(make_state({b}, kWhere).program->sizes.empty());
}

TEST(Sizes, PrimitivesAreProvedForAllValues) {
  State state = make_state({copy_of(size("n", 16))}, kWhere);
  const LoopId i = state.stage_loops.at("B")[0];
  const SplitResult split = schedule::split(state, "B", i, 3, kWhere);
  EXPECT_EQ(split.state.order.loop(split.outer).extent(), 6);
  EXPECT_TRUE(split.state.order.loop(split.outer).depends_on_sizes);
  EXPECT_FALSE(split.state.order.loop(split.inner).depends_on_sizes);
  const std::vector<LoopId> loops = split.state.stage_loops.at("B");
  EXPECT_NO_THROW(reorder(split.state, "B", {loops[2], loops[0]}, kWhere));
}

TEST(Sizes, StatementsThatPrimitivesMakeAreBounded) {
  // D[i] = sum over k < n of A[i, k], in parts of 8.
  const dsl::Extent n = dsl::make_extent(dsl::make_size_ref(size("n", 50), kWhere), kWhere);
  const dsl::Tensor a = dsl::make_placeholder({6, n}, DType::Float32, "A", kWhere);
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 6, kWhere);
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, n, kWhere);
  const dsl::Expr read =
      dsl::make_read(a, {dsl::make_axis_ref(i, kWhere), dsl::make_axis_ref(k, kWhere)}, kWhere);
  const dsl::Expr sum = dsl::make_reduce(ReduceOp::Sum, read, {k}, kWhere);
  const State made = make_state({dsl::make_compute({6}, {i}, sum, "D", kWhere)}, kWhere);
  const SplitResult parts = split(made, "D", made.stage_loops.at("D")[1], 8, kWhere);
  const State state = rfactor(parts.state, "D", parts.inner, kWhere).state;
  const isl::set bounds(state.program->ctx(), "[n] -> { : 1 <= n <= 50 }");
  for (const auto& [name, s] : state.program->statements) {
    EXPECT_TRUE(s.domain.params().is_subset(bounds)) << name;
  }
}

TEST(Sizes, OnlyTheOutermostLoopOfAFuseMayDependOnThem) {
  const State state = make_state({copy_of(size("n", 16))}, kWhere);
  const std::vector<LoopId> loops = state.stage_loops.at("B");
  EXPECT_NO_THROW(fuse(state, "B", loops, kWhere));
  const State turned = reorder(state, "B", {loops[1], loops[0]}, kWhere);
  EXPECT_THROW(fuse(turned, "B", {loops[1], loops[0]}, kWhere), UnsupportedError);
}

TEST(Sizes, AConditionNamesThoseOfTheProgram) {
  const dsl::Size n = size("n", 16);
  const State state = make_state({copy_of(n)}, kWhere);
  const auto above_two = [](const dsl::Size& of) {
    return dsl::make_binary(BinaryOp::Gt, dsl::make_size_ref(of, kWhere),
                            dsl::make_int(2, DType::Int64, true, kWhere), kWhere);
  };
  EXPECT_NO_THROW(require_own_sizes(*state.program, above_two(n), "specialize", kWhere));
  try {
    require_own_sizes(*state.program, above_two(size("m", 16)), "specialize", kWhere);
    FAIL() << "expected ScheduleArgumentError";
  } catch (const ScheduleArgumentError& e) {
    EXPECT_EQ(e.report().what, "specialize: 'm', of user.py:3, is no size of this schedule");
    EXPECT_EQ(e.report().why, "its sizes are 'n'");
    EXPECT_EQ(e.report().where.line, 3);
  }
}

TEST(Sizes, TwoOfOneNameAreRefused) {
  const dsl::Tensor first = copy_of(size("n", 16));
  const dsl::Extent n = dsl::make_extent(dsl::make_size_ref(size("n", 8), kWhere), kWhere);
  const dsl::Axis q = dsl::make_axis("q", dsl::AxisKind::Spatial, 0, n, kWhere);
  const dsl::Tensor second =
      dsl::make_compute({n}, {q}, dsl::make_axis_ref(q, kWhere), "D", kWhere);
  try {
    make_state({first, second}, kWhere);
    FAIL() << "expected DslError";
  } catch (const DslError& error) {
    EXPECT_THAT(error.what(), HasSubstr("two sizes are named 'n'"));
  }
}

}  // namespace
}  // namespace solway::schedule
