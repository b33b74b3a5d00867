#include "schedule/passed_elements.h"

#include <gtest/gtest.h>

#include "schedule/state.h"

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

const Statement& statement_of(const State& state, const std::string& name) {
  return state.program->statement(name);
}

TEST(PassedElements, AreThoseThatASelectTakesAsTheyAre) {
  const samples::Padded program(8);
  const State state = make_state({program.c}, samples::at(4));
  const isl::ctx ctx = state.program->ctx();
  EXPECT_TRUE(passed_elements(statement_of(state, "P"), DType::Float32)
                  .is_equal(isl::union_map(ctx, "{ P[i] -> A[i - 1] : 1 <= i <= 8 }")));
  // Stored as another type, the values are others.
  EXPECT_TRUE(passed_elements(statement_of(state, "P"), DType::Float64).is_empty());
}

TEST(PassedElements, AreNoneWhereSomethingIsComputed) {
  const samples::Padded program(8);
  const State state = make_state({program.c}, samples::at(4));
  EXPECT_TRUE(passed_elements(statement_of(state, "C"), DType::Float32).is_empty());
}

TEST(PassedElements, AreNoneUnderAConditionThatIsNotAffine) {
  const dsl::Tensor a = dsl::make_placeholder({8}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Expr read = dsl::make_read(a, {samples::value_of(i)}, samples::at(2));
  const dsl::Expr zero = dsl::make_float(0, DType::Float32, true, samples::at(2));
  const dsl::Expr positive = dsl::make_binary(BinaryOp::Gt, read, zero, samples::at(2));
  const dsl::Tensor p = dsl::make_compute(
      {8}, {i}, dsl::make_select(positive, read, zero, samples::at(2)), "P", samples::at(2));
  const State state = make_state({p}, samples::at(4));
  EXPECT_TRUE(passed_elements(statement_of(state, "P"), DType::Float32).is_empty());
}

}  // namespace
}  // namespace solway::schedule
