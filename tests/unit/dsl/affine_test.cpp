#include "dsl/affine.h"

#include <sstream>

#include <gtest/gtest.h>

#include "support/error.h"
#include "support/isl_context.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

class Affine : public ::testing::Test {
 protected:
  isl::ctx ctx() const { return isl_.get(); }
  isl::map map(const std::string& text) const { return isl::map(ctx(), text); }
  isl::set set(const std::string& text) const { return isl::set(ctx(), text); }

  /// Whether `expr` over i < 8, j < 6 is the function that `text` states.
  void expect_value(const Expr& expr, const std::string& text) const {
    const auto value = try_affine(ctx(), expr, scope_);
    ASSERT_TRUE(value) << to_string(expr);
    const isl::map want = map("{ S[i, j] -> [" + text + "] }");
    EXPECT_TRUE(value->as_map().is_equal(want)) << to_string(expr) << " gives " << *value;
  }

  void expect_condition(const Expr& expr, const std::string& text) const {
    const auto holds = try_condition(ctx(), expr, scope_);
    ASSERT_TRUE(holds) << to_string(expr);
    EXPECT_TRUE(holds->is_equal(set("{ S[i, j] : " + text + " }")))
        << to_string(expr) << " gives " << *holds;
  }

  IslContext isl_;
  Axis i_ = spatial("i", 8);
  Axis j_ = spatial("j", 6);
  AffineScope scope_{"S", {i_, j_}};
  Expr i() const { return var(i_); }
  Expr j() const { return var(j_); }
};

TEST_F(Affine, DomainIsTheBox) {
  EXPECT_TRUE(domain_of(ctx(), scope_).is_equal(set("{ S[i, j] : 0 <= i < 8 and 0 <= j < 6 }")));
  EXPECT_TRUE(domain_of(ctx(), {"S", {}}).is_equal(set("{ S[] }")));
  EXPECT_TRUE(domain_of(ctx(), {"S", {spatial("e", 0)}}).is_empty());
}

TEST_F(Affine, ArithmeticIsExact) {
  expect_value(sub(add(mul(i(), lit(4L)), j()), lit(3L)), "4i + j - 3");
  expect_value(mul(lit(4L), i()), "4i");
  expect_value(make_unary(UnaryOp::Neg, i(), line(1)), "-i");
  expect_value(op(BinaryOp::FloorDiv, sub(i(), lit(5L)), lit(3L)), "floor((i - 5) / 3)");
  expect_value(op(BinaryOp::Mod, sub(i(), lit(5L)), lit(3L)), "(i - 5) mod 3");
  expect_value(lit(7L), "7");
}

TEST_F(Affine, PiecewiseFunctionsAreExact) {
  const auto want = [&](const Expr& e, const std::string& text) {
    const auto value = try_affine(ctx(), e, scope_);
    ASSERT_TRUE(value);
    EXPECT_TRUE(value->as_map().is_equal(map(text))) << *value;
  };
  want(op(BinaryOp::Min, i(), j()), "{ S[i, j] -> [i] : i <= j; S[i, j] -> [j] : j < i }");
  want(op(BinaryOp::Max, i(), lit(2L)), "{ S[i, j] -> [i] : i >= 2; S[i, j] -> [2] : i < 2 }");
  want(make_select(op(BinaryOp::Lt, i(), lit(2L)), i(), j(), line(1)),
       "{ S[i, j] -> [i] : i < 2; S[i, j] -> [j] : i >= 2 }");
  want(make_unary(UnaryOp::Abs, sub(i(), j()), line(1)),
       "{ S[i, j] -> [i - j] : i >= j; S[i, j] -> [j - i] : i < j }");
  want(add(i(), op(BinaryOp::Gt, j(), lit(0L))),
       "{ S[i, j] -> [i + 1] : j > 0; S[i, j] -> [i] : j <= 0 }");
}

TEST_F(Affine, WhatIsNotAffineIsNullopt) {
  EXPECT_FALSE(try_affine(ctx(), mul(i(), j()), scope_));
  EXPECT_FALSE(try_affine(ctx(), op(BinaryOp::FloorDiv, i(), j()), scope_));
  EXPECT_FALSE(try_affine(ctx(), op(BinaryOp::Mod, i(), lit(-2L)), scope_));
  EXPECT_FALSE(try_affine(ctx(), element(DType::Int64), scope_));
  EXPECT_FALSE(try_affine(ctx(), op(BinaryOp::Div, i(), lit(2L)), scope_));
  EXPECT_FALSE(try_affine(ctx(), make_cast(i(), DType::Int8, line(1)), scope_));
  EXPECT_THROW(try_affine(ctx(), var(spatial("q", 3)), scope_), InternalError);
}

TEST_F(Affine, ConditionsAreSets) {
  const Expr low = op(BinaryOp::Ge, i(), lit(2L));
  const Expr even = op(BinaryOp::Eq, op(BinaryOp::Mod, j(), lit(2L)), lit(0L));
  expect_condition(op(BinaryOp::And, low, even), "i >= 2 and j mod 2 = 0");
  expect_condition(op(BinaryOp::Or, low, even), "i >= 2 or j mod 2 = 0");
  expect_condition(make_unary(UnaryOp::Not, low, line(1)), "i < 2");
  expect_condition(op(BinaryOp::Ne, low, even),
                   "(i >= 2 and j mod 2 = 1) or (i < 2 and j mod 2 = 0)");
  expect_condition(make_int(1, DType::Bool, false, line(1)), "true");
  EXPECT_FALSE(try_condition(ctx(), op(BinaryOp::Gt, element(DType::Float32), lit(0L)), scope_));
}

TEST_F(Affine, ReadsCarryTheirGuards) {
  const Tensor A = input("A", {8});
  const Expr x = read(A, {sub(i(), lit(1L))});
  const Expr y = read(A, {j()});
  const auto reads =
      reads_of(ctx(), make_select(op(BinaryOp::Gt, i(), lit(0L)), x, y, line(1)), scope_);
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_EQ(reads[0].read, x);
  EXPECT_TRUE(
      reads[0].relation.is_equal(map("{ S[i, j] -> A[i - 1] : 0 < i < 8 and 0 <= j < 6 }")));
  EXPECT_TRUE(reads[1].relation.is_equal(map("{ S[0, j] -> A[j] : 0 <= j < 6 }")));
}

TEST_F(Affine, OneNodeIsOneAccess) {
  const Expr x = read(input("A", {8}), {i()});
  const Expr body = make_select(op(BinaryOp::Gt, i(), lit(0L)), x, mul(x, lit(2L)), line(1));
  const auto reads = reads_of(ctx(), body, scope_);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_TRUE(reads[0].relation.is_equal(map("{ S[i, j] -> A[i] : 0 <= i < 8 and 0 <= j < 6 }")));
}

TEST_F(Affine, AConditionOnDataRestrictsNothing) {
  const Tensor A = input("A", {8});
  const Expr data = op(BinaryOp::Gt, read(A, {i()}), lit(0L));
  const Expr guard = op(BinaryOp::And, op(BinaryOp::Lt, i(), lit(4L)), data);
  const auto reads = reads_of(ctx(), make_select(guard, read(A, {j()}), lit(0L), line(1)), scope_);
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_TRUE(reads[1].relation.is_equal(map("{ S[i, j] -> A[j] : 0 <= i < 4 and 0 <= j < 6 }")));
}

TEST_F(Affine, ReadsSkipNestedReductions) {
  const Axis k = reduction("k", 8);
  const Expr sum = make_reduce(ReduceOp::Sum, read(input("A", {8}), {var(k)}), {k}, line(1));
  EXPECT_TRUE(reads_of(ctx(), sum, scope_).empty());
}

TEST_F(Affine, ReadsOfRankZero) {
  const auto reads = reads_of(ctx(), read(input("A", {}), {}), scope_);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_TRUE(reads[0].relation.is_equal(map("{ S[i, j] -> A[] : 0 <= i < 8 and 0 <= j < 6 }")));
}

TEST_F(Affine, AnIndexThatIsNotAffineIsUnsupported) {
  EXPECT_THROW(reads_of(ctx(), read(input("A", {64}), {mul(i(), j())}), scope_), UnsupportedError);
}

TEST_F(Affine, ExtentIsTheWholeTensor) {
  EXPECT_TRUE(extent_of(ctx(), input("A", {4, 0})).is_empty());
  EXPECT_TRUE(extent_of(ctx(), input("A", {4, 2}))
                  .is_equal(set("{ A[a, b] : 0 <= a < 4 and 0 <= b < 2 }")));
}

}  // namespace
}  // namespace solway::dsl
