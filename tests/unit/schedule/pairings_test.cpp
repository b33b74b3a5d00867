#include "schedule/pairings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// R[i] = combine(X[i], Y[i]) as a statement.
Statement of_two(BinaryOp op, const std::string& left, const std::string& right) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const auto read = [&](const std::string& name) {
    const dsl::Tensor tensor = dsl::make_placeholder({4}, DType::Float32, name, samples::at(1));
    return dsl::make_read(tensor, {samples::value_of(i)}, samples::at(2));
  };
  const dsl::Expr body = dsl::make_binary(op, read(left), read(right), samples::at(2));
  const State state = make_state({dsl::make_compute({4}, {i}, body, "R", samples::at(2))}, {});
  return state.program->statement("R");
}

TEST(Pairings, OperandsOfACommutativeOperatorChangePlaces) {
  const auto ways = pairings(of_two(BinaryOp::Mul, "A", "B"), of_two(BinaryOp::Mul, "X", "Y"));
  EXPECT_THAT(
      ways, ElementsAre(ElementsAre(Pair(0, 0), Pair(1, 1)), ElementsAre(Pair(1, 0), Pair(0, 1))));
}

TEST(Pairings, OthersStayWhereTheyAre) {
  const auto ways = pairings(of_two(BinaryOp::Sub, "A", "B"), of_two(BinaryOp::Sub, "X", "Y"));
  EXPECT_THAT(ways, ElementsAre(ElementsAre(Pair(0, 0), Pair(1, 1))));
}

TEST(Pairings, NoneOfAnotherExpression) {
  EXPECT_THAT(pairings(of_two(BinaryOp::Sub, "A", "B"), of_two(BinaryOp::Mul, "X", "Y")),
              IsEmpty());
}

TEST(Pairings, OfASumTheTermsArePaired) {
  const testing::ScheduledMatmul m(2, 3, 4);
  const Statement& sum = m.state.program->statement("C");  // its first operand is C itself
  EXPECT_THAT(pairings(sum, sum), ElementsAre(ElementsAre(Pair(1, 1), Pair(2, 2)),
                                              ElementsAre(Pair(2, 1), Pair(1, 2))));
}

}  // namespace
}  // namespace solway::schedule
