#include "dsl/evaluate.h"

#include <gtest/gtest.h>

#include "dsl/expr.h"
#include "support/error.h"

namespace solway::dsl {
namespace {

const SourceLoc kWhere{"user.py", 3, ""};

Expr number(std::int64_t value) { return make_int(value, DType::Int64, false, kWhere); }

class Evaluate : public testing::Test {
 protected:
  Expr n = make_size_ref(make_size("n", 0, 100, kWhere), kWhere);
  Expr m = make_size_ref(make_size("m", 0, 100, kWhere), kWhere);

  std::int64_t of(BinaryOp op, std::int64_t a, std::int64_t b) const {
    return evaluate(make_binary(op, n, m, kWhere), {{"n", a}, {"m", b}});
  }
  std::int64_t of(UnaryOp op, std::int64_t a) const {
    return evaluate(make_unary(op, n, kWhere), {{"n", a}});
  }
};

TEST_F(Evaluate, ArithmeticOfSizes) {
  EXPECT_EQ(of(BinaryOp::Add, 7, 3), 10);
  EXPECT_EQ(of(BinaryOp::Sub, 3, 7), -4);
  EXPECT_EQ(of(BinaryOp::Mul, 3, 7), 21);
  EXPECT_EQ(of(BinaryOp::Min, 3, 7), 3);
  EXPECT_EQ(of(BinaryOp::Max, 3, 7), 7);
  EXPECT_EQ(of(UnaryOp::Neg, 3), -3);
  EXPECT_EQ(of(UnaryOp::Abs, -3), 3);
}

TEST_F(Evaluate, DivisionRoundsDownAndRemaindersAreNotNegative) {
  for (std::int64_t a = -9; a <= 9; ++a) {
    const std::int64_t rest = of(BinaryOp::Mod, a, 4);
    EXPECT_TRUE(rest >= 0 && rest < 4) << a;
    EXPECT_EQ(of(BinaryOp::FloorDiv, a, 4) * 4 + rest, a);
  }
}

TEST_F(Evaluate, ConditionsAreOneOrZero) {
  for (const auto& [a, b] : {std::pair{3, 7}, {7, 3}, {5, 5}, {0, 2}, {0, 0}}) {
    EXPECT_EQ(of(BinaryOp::Lt, a, b), a < b);
    EXPECT_EQ(of(BinaryOp::Le, a, b), a <= b);
    EXPECT_EQ(of(BinaryOp::Gt, a, b), a > b);
    EXPECT_EQ(of(BinaryOp::Ge, a, b), a >= b);
    EXPECT_EQ(of(BinaryOp::Eq, a, b), a == b);
    EXPECT_EQ(of(BinaryOp::Ne, a, b), a != b);
    EXPECT_EQ(of(BinaryOp::And, a, b), a != 0 && b != 0);
    EXPECT_EQ(of(BinaryOp::Or, a, b), a != 0 || b != 0);
    EXPECT_EQ(of(UnaryOp::Not, a), a == 0);
  }
}

TEST_F(Evaluate, ASelectTakesOneSide) {
  const Expr chosen =
      make_select(make_binary(BinaryOp::Lt, n, number(4), kWhere), m, number(1), kWhere);
  EXPECT_EQ(evaluate(chosen, {{"n", 3}, {"m", 9}}), 9);
  EXPECT_EQ(evaluate(chosen, {{"n", 4}, {"m", 9}}), 1);
}

TEST_F(Evaluate, AxesHaveTheirValues) {
  const Axis i = make_axis("i", AxisKind::Spatial, 0, 10, kWhere);
  const Axis other = make_axis("i", AxisKind::Spatial, 0, 10, kWhere);
  const Expr sum =
      make_binary(BinaryOp::Sub, make_axis_ref(i, kWhere), make_axis_ref(other, kWhere), kWhere);
  EXPECT_EQ(evaluate(sum, {}, {{i, 7}, {other, 2}}), 5);
}

TEST_F(Evaluate, WhatIsNoIntegerExpressionOfSizesIsOurMistake) {
  const Expr half = make_binary(BinaryOp::Div, n, number(2), kWhere);
  EXPECT_THROW(evaluate(half, {{"n", 3}}), InternalError);
  EXPECT_THROW(evaluate(make_float(1.5, DType::Float64, false, kWhere), {}), InternalError);
}

}  // namespace
}  // namespace solway::dsl
