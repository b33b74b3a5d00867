#include <cmath>

#include <gtest/gtest.h>

#include "dsl/expr.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(PrintExpr, PutsParenthesesOnlyWhereTheyAreNeeded) {
  const Expr i = var(spatial("i", 8));
  const Expr j = var(spatial("j", 8));
  EXPECT_EQ(to_string(add(mul(i, lit(2L)), j)), "i * 2 + j");
  EXPECT_EQ(to_string(mul(i, add(j, lit(1L)))), "i * (j + 1)");
  EXPECT_EQ(to_string(sub(i, sub(j, lit(1L)))), "i - (j - 1)");
  EXPECT_EQ(to_string(sub(sub(i, j), lit(1L))), "i - j - 1");
  EXPECT_EQ(to_string(op(BinaryOp::Mod, op(BinaryOp::FloorDiv, i, lit(4L)), lit(2L))),
            "i // 4 % 2");
  EXPECT_EQ(to_string(op(BinaryOp::Pow, add(i, j), lit(2L))), "(i + j) ** 2");
  EXPECT_EQ(to_string(make_unary(UnaryOp::Neg, add(i, j), line(1))), "-(i + j)");
}

TEST(PrintExpr, PrintsConditionsAsPython) {
  const Expr i = var(spatial("i", 8));
  const Expr low = op(BinaryOp::Le, lit(0L), i);
  const Expr high = op(BinaryOp::Lt, i, lit(4L));
  EXPECT_EQ(to_string(op(BinaryOp::And, low, high)), "0 <= i and i < 4");
  EXPECT_EQ(to_string(make_unary(UnaryOp::Not, op(BinaryOp::Or, low, high), line(1))),
            "not (0 <= i or i < 4)");
  EXPECT_EQ(to_string(make_int(1, DType::Bool, false, line(1))), "True");
}

TEST(PrintExpr, PrintsReadsCallsAndReductions) {
  const Axis k = reduction("k", 8);
  const Tensor A = input("A", {8, 8});
  const Expr a = read(A, {lit(0L), var(k)});
  EXPECT_EQ(to_string(make_reduce(ReduceOp::Sum, mul(a, a), {k}, line(1))),
            "sum(A[0, k] * A[0, k], axis=k)");
  EXPECT_EQ(to_string(make_reduce(ReduceOp::Max, a, {k, reduction("l", 2)}, line(1))),
            "max(A[0, k], axis=[k, l])");
  EXPECT_EQ(to_string(make_select(op(BinaryOp::Gt, a, lit(0.0)), a, lit(0L), line(1))),
            "select(A[0, k] > 0.0, A[0, k], 0.0)");
  EXPECT_EQ(to_string(make_unary(UnaryOp::Exp, a, line(1))), "exp(A[0, k])");
  EXPECT_EQ(to_string(op(BinaryOp::Max, a, lit(0L))), "maximum(A[0, k], 0.0)");
  EXPECT_EQ(to_string(make_cast(a, DType::Int32, line(1))), "cast(A[0, k], int32)");
}

TEST(PrintExpr, PrintsTheShortestLiteralOfItsType) {
  EXPECT_EQ(to_string(make_float(0.1, DType::Float32, false, line(1))), "0.1");
  EXPECT_EQ(to_string(make_float(2, DType::Float64, false, line(1))), "2.0");
  EXPECT_EQ(to_string(make_float(-INFINITY, DType::Float64, false, line(1))), "-inf");
  EXPECT_EQ(to_string(make_float(NAN, DType::Float64, false, line(1))), "nan");
}

}  // namespace
}  // namespace solway::dsl
