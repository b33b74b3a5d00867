#include "support/scalar_op.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "support/error.h"

namespace solway {
namespace {

TEST(ScalarOp, UnaryNamesAreDistinct) {
  std::set<std::string_view> names;
  for (int op = 0; op <= static_cast<int>(kLastUnaryOp); ++op) {
    names.insert(to_string(static_cast<UnaryOp>(op)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kLastUnaryOp) + 1);
  EXPECT_EQ(to_string(UnaryOp::Neg), "-");
  EXPECT_EQ(to_string(UnaryOp::Sqrt), "sqrt");
}

TEST(ScalarOp, BinaryNamesAreDistinct) {
  std::set<std::string_view> names;
  for (int op = 0; op <= static_cast<int>(kLastBinaryOp); ++op) {
    names.insert(to_string(static_cast<BinaryOp>(op)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kLastBinaryOp) + 1);
  EXPECT_EQ(to_string(BinaryOp::FloorDiv), "//");
}

TEST(ScalarOp, SixOperationsCompare) {
  int comparisons = 0;
  for (int op = 0; op <= static_cast<int>(kLastBinaryOp); ++op) {
    comparisons += is_comparison(static_cast<BinaryOp>(op)) ? 1 : 0;
  }
  EXPECT_EQ(comparisons, 6);
  EXPECT_FALSE(is_comparison(BinaryOp::And));
}

TEST(ScalarOp, ReductionsCombine) {
  EXPECT_EQ(combine_op(ReduceOp::Sum), BinaryOp::Add);
  EXPECT_EQ(combine_op(ReduceOp::Prod), BinaryOp::Mul);
  EXPECT_EQ(combine_op(ReduceOp::Min), BinaryOp::Min);
  EXPECT_EQ(combine_op(ReduceOp::Max), BinaryOp::Max);
  EXPECT_EQ(combine_op(ReduceOp::Any), BinaryOp::Or);
  EXPECT_EQ(to_string(ReduceOp::Prod), "prod");
}

TEST(ScalarOp, TakesOperandsOfItsTypes) {
  EXPECT_TRUE(takes(UnaryOp::Sqrt, DType::Float32));
  EXPECT_FALSE(takes(UnaryOp::Sqrt, DType::Int32));
  EXPECT_FALSE(takes(BinaryOp::Add, DType::Float16));
  EXPECT_TRUE(takes(BinaryOp::BitAnd, DType::Int8));
  EXPECT_FALSE(takes(BinaryOp::BitAnd, DType::Bool));
  EXPECT_EQ(result_type(UnaryOp::IsNan, DType::Float64), DType::Bool);
  EXPECT_EQ(result_type(BinaryOp::Lt, DType::Int8), DType::Bool);
}

TEST(ScalarOp, BindsAsPythonsOperators) {
  EXPECT_LT(binding(BinaryOp::Lt), binding(BinaryOp::BitOr));
  EXPECT_LT(binding(BinaryOp::BitAnd), binding(BinaryOp::ShiftLeft));
  EXPECT_EQ(tighter(Binding::Sum), Binding::Product);
  EXPECT_EQ(tighter(Binding::Atom), Binding::Atom);
}

TEST(ScalarOp, RefusesAValueOutsideTheEnum) {
  EXPECT_THROW(to_string(static_cast<UnaryOp>(200)), InternalError);
  EXPECT_THROW(to_string(static_cast<BinaryOp>(200)), InternalError);
  EXPECT_THROW(combine_op(static_cast<ReduceOp>(200)), InternalError);
}

}  // namespace
}  // namespace solway
