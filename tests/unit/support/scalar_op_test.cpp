#include "support/scalar_op.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "support/error.h"

namespace solway {
namespace {

TEST(ScalarOp, UnaryNamesAreDistinct) {
  std::set<std::string_view> names;
  for (int op = 0; op <= static_cast<int>(UnaryOp::Round); ++op) {
    names.insert(to_string(static_cast<UnaryOp>(op)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(UnaryOp::Round) + 1);
  EXPECT_EQ(to_string(UnaryOp::Neg), "-");
  EXPECT_EQ(to_string(UnaryOp::Sqrt), "sqrt");
}

TEST(ScalarOp, BinaryNamesAreDistinct) {
  std::set<std::string_view> names;
  for (int op = 0; op <= static_cast<int>(BinaryOp::Or); ++op) {
    names.insert(to_string(static_cast<BinaryOp>(op)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(BinaryOp::Or) + 1);
  EXPECT_EQ(to_string(BinaryOp::FloorDiv), "//");
}

TEST(ScalarOp, SixOperationsCompare) {
  int comparisons = 0;
  for (int op = 0; op <= static_cast<int>(BinaryOp::Or); ++op) {
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
  EXPECT_EQ(to_string(ReduceOp::Prod), "prod");
}

TEST(ScalarOp, RefusesAValueOutsideTheEnum) {
  EXPECT_THROW(to_string(static_cast<UnaryOp>(200)), InternalError);
  EXPECT_THROW(to_string(static_cast<BinaryOp>(200)), InternalError);
  EXPECT_THROW(combine_op(static_cast<ReduceOp>(200)), InternalError);
}

}  // namespace
}  // namespace solway
