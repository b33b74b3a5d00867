#include "dsl/expr.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::HasSubstr;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(MakeBinary, ConvertsBothOperandsToTheCommonType) {
  const Expr sum = add(element(DType::Int32), element(DType::Float32));
  EXPECT_EQ(sum->type, DType::Float64);
  EXPECT_EQ(sum->operands[0]->kind, ExprKind::Cast);
  EXPECT_EQ(sum->operands[1]->kind, ExprKind::Cast);
}

TEST(MakeBinary, ComparisonsGiveConditions) {
  const Expr less = op(BinaryOp::Lt, element(DType::Float32), lit(1L));
  EXPECT_EQ(less->type, DType::Bool);
  EXPECT_EQ(less->operands[1]->type, DType::Float32);
}

TEST(MakeBinary, ConditionsAreClosedUnderPlusAndTimes) {
  const Expr c = op(BinaryOp::Lt, element(DType::Int32), lit(1L));
  EXPECT_EQ(add(c, c)->binary, BinaryOp::Or);
  EXPECT_EQ(mul(c, c)->binary, BinaryOp::And);
  EXPECT_THROW(sub(c, c), DslError);
  EXPECT_EQ(op(BinaryOp::FloorDiv, c, c)->type, DType::Int8);
}

TEST(MakeBinary, AndOfNumbersAsksWhetherTheyAreZero) {
  const Expr both = op(BinaryOp::And, element(DType::Int32), element(DType::Float32));
  EXPECT_EQ(both->operands[0]->binary, BinaryOp::Ne);
  EXPECT_EQ(both->type, DType::Bool);
}

TEST(MakeBinary, RefusesNegativePowersOfIntegers) {
  EXPECT_THROW(op(BinaryOp::Pow, element(DType::Int32), lit(-1L)), DslError);
  EXPECT_EQ(op(BinaryOp::Pow, element(DType::Float32), lit(-1L))->type, DType::Float32);
}

TEST(MakeUnary, NegatesLiteralsAndRefusesConditions) {
  EXPECT_EQ(make_unary(UnaryOp::Neg, lit(3L), line(1))->int_value, -3);
  EXPECT_TRUE(make_unary(UnaryOp::Neg, lit(3L), line(1))->weak);
  const Expr c = op(BinaryOp::Lt, element(DType::Int32), lit(1L));
  EXPECT_THROW(make_unary(UnaryOp::Neg, c, line(1)), DslError);
  EXPECT_EQ(make_unary(UnaryOp::Not, c, line(1))->type, DType::Bool);
}

TEST(MakeUnary, RoundingLeavesIntegersAlone) {
  const Expr x = element(DType::Int32);
  EXPECT_EQ(make_unary(UnaryOp::Floor, x, line(1)), x);
  EXPECT_EQ(make_unary(UnaryOp::Floor, element(DType::Float32), line(1))->kind, ExprKind::Unary);
}

TEST(MakeRead, ChecksRankAndIndexTypes) {
  const Tensor A = input("A", {4, 8});
  try {
    read(A, {lit(0L)}, 9);
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().where.line, 9);
    EXPECT_EQ(e.report().why, "got 1 indices, tensor 'A' has rank 2");
  }
  try {
    read(A, {lit(0L), element(DType::Float32)}, 9);
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().what, "index 1 of 'A' is no integer");
    EXPECT_THAT(e.report().why, HasSubstr("has type 'float32'"));
  }
}

TEST(MakeSelect, MeetsInTheCommonTypeAndTakesNumbersAsConditions) {
  const Expr chosen = make_select(element(DType::Int32), element(DType::Float32), lit(0L), line(1));
  EXPECT_EQ(chosen->type, DType::Float32);
  EXPECT_EQ(chosen->operands[0]->type, DType::Bool);
  EXPECT_EQ(chosen->operands[2]->kind, ExprKind::Float);
}

TEST(MakeCast, KeepsEqualTypesAndFoldsLiterals) {
  const Expr x = element(DType::Float32);
  EXPECT_EQ(make_cast(x, DType::Float32, line(1)), x);
  EXPECT_EQ(make_cast(lit(3L), DType::Float32, line(1))->kind, ExprKind::Float);
  EXPECT_EQ(make_cast(lit(300L), DType::Int8, line(1))->kind, ExprKind::Cast);
  EXPECT_EQ(make_cast(x, DType::Bool, line(1))->binary, BinaryOp::Ne);
}

TEST(MakeReduce, AccumulatesInTheOperandsType) {
  const Axis k = reduction("k", 4);
  EXPECT_EQ(make_reduce(ReduceOp::Sum, element(DType::Int8), {k}, line(1))->type, DType::Int8);
  const Expr condition = op(BinaryOp::Lt, var(k), lit(2L));
  EXPECT_EQ(make_reduce(ReduceOp::Sum, condition, {k}, line(1))->type, DType::Int64);
  EXPECT_EQ(make_reduce(ReduceOp::Max, condition, {k}, line(1))->reduce, ReduceOp::Any);
  EXPECT_EQ(make_reduce(ReduceOp::All, element(DType::Int8), {k}, line(1))->type, DType::Bool);
}

TEST(MakeReduce, RoundsA16BitFloatOnce) {
  const Axis k = reduction("k", 4);
  const Expr sum = make_reduce(ReduceOp::Sum, element(DType::Float16), {k}, line(1));
  EXPECT_EQ(sum->kind, ExprKind::Cast);
  EXPECT_EQ(sum->type, DType::Float16);
  EXPECT_EQ(sum->operands[0]->type, DType::Float32);
}

TEST(MakeReduce, RefusesOtherAxes) {
  const Axis k = reduction("k", 4);
  EXPECT_THROW(make_reduce(ReduceOp::Sum, lit(1L), {}, line(1)), DslError);
  EXPECT_THROW(make_reduce(ReduceOp::Sum, lit(1L), {k, k}, line(1)), DslError);
  EXPECT_THROW(make_reduce(ReduceOp::Sum, lit(1L), {spatial("i", 4)}, line(1)), DslError);
}

TEST(MakeAxis, RefusesAnEmptyNameAndABackwardRange) {
  EXPECT_THROW(make_axis("", AxisKind::Spatial, 0, 4, line(1)), DslError);
  EXPECT_THROW(make_axis("k", AxisKind::Reduce, 4, 3, line(1)), DslError);
  EXPECT_EQ(make_axis("k", AxisKind::Reduce, 4, 4, line(1))->extent(), 0);
}

TEST(IdentityOf, LeavesEveryValueUnchanged) {
  EXPECT_EQ(identity_of(ReduceOp::Sum, DType::Int32)->int_value, 0);
  EXPECT_EQ(identity_of(ReduceOp::Any, DType::Bool)->int_value, 0);
  EXPECT_EQ(identity_of(ReduceOp::All, DType::Bool)->int_value, 1);
  EXPECT_EQ(identity_of(ReduceOp::Prod, DType::Float32)->float_value, 1.0);
  EXPECT_EQ(identity_of(ReduceOp::Min, DType::Int8)->int_value, 127);
  EXPECT_EQ(identity_of(ReduceOp::Max, DType::Int8)->int_value, -128);
  EXPECT_EQ(identity_of(ReduceOp::Max, DType::Float64)->float_value, -INFINITY);
}

}  // namespace
}  // namespace solway::dsl
