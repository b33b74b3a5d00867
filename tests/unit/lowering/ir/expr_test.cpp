#include "lowering/ir/expr.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::ir {
namespace {

using ::testing::HasSubstr;

Expr i64(std::int64_t v) { return IntImm::make(v); }

TEST(Expr, LiteralsFitTheirTypes) {
  EXPECT_EQ(IntImm::make(-128, DType::Int8).as<IntImm>().value, -128);
  EXPECT_THROW(IntImm::make(128, DType::Int8), InternalError);
  EXPECT_THROW(IntImm::make(2, DType::Bool), InternalError);
  EXPECT_THROW(IntImm::make(1, DType::Float32), InternalError);
  EXPECT_EQ(FloatImm::make(0.1, DType::Float32).as<FloatImm>().value, static_cast<double>(0.1F));
}

TEST(Expr, ComparisonsGiveBool) {
  EXPECT_EQ(Binary::make(BinaryOp::Lt, i64(1), i64(2)).type(), kBool);
  const Expr ramp = Ramp::make(i64(0), i64(1), {4});
  EXPECT_EQ(to_string(Binary::make(BinaryOp::Lt, ramp, ramp).type()), "boolx4");
}

TEST(Expr, OperandsAgreeInType) {
  try {
    Binary::make(BinaryOp::Add, i64(1), IntImm::make(1, DType::Int32));
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("int64 and int32"));
  }
  EXPECT_THROW(Binary::make(BinaryOp::Div, i64(1), i64(1)), InternalError);
  EXPECT_THROW(Unary::make(UnaryOp::Sqrt, i64(1)), InternalError);
  EXPECT_THROW(Select::make(i64(1), i64(1), i64(1)), InternalError);
}

TEST(Expr, IndexCountIsTheRank) {
  const Buffer a = make_buffer("A", DType::Float32, {4, 4});
  EXPECT_EQ(Load::make(a, {i64(0), i64(1)}).type().scalar, DType::Float32);
  try {
    Load::make(a, {i64(0)});
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("got 1 indices, buffer 'A' has rank 2"));
  }
}

TEST(Expr, VectorsHaveLanes) {
  const Buffer a = make_buffer("A", DType::Float32, {64});
  EXPECT_EQ(to_string(VectorLoad::make(a, {i64(0)}, 1, {8}).type()), "float32x8");
  EXPECT_THROW(VectorLoad::make(a, {i64(0)}, 1, {1}), InternalError);
  EXPECT_THROW(VectorLoad::make(a, {i64(0)}, 0, {8}), InternalError);
  EXPECT_THROW(ReduceLanes::make(ReduceOp::Sum, i64(1)), InternalError);
}

TEST(Expr, ADotAddsGroupsOfBytes) {
  const Buffer a = make_buffer("A", DType::UInt8, {64});
  const Buffer c = make_buffer("C", DType::Int32, {16});
  const Expr bytes = VectorLoad::make(a, {i64(0)}, 1, {64});
  const Expr sums = VectorLoad::make(c, {i64(0)}, 1, {16});
  const Expr group = VectorLoad::make(a, {i64(0)}, 1, {4});
  EXPECT_EQ(to_string(Dot::make(sums, bytes, Broadcast::make(group, {64})).type()), "int32x16");
  EXPECT_EQ(Dot::make(Load::make(c, {i64(0)}), group, group).type().scalar, DType::Int32);
  EXPECT_THROW(Dot::make(sums, bytes, group), InternalError);
  EXPECT_THROW(Dot::make(sums, sums, sums), InternalError);
  EXPECT_THROW(Dot::make(bytes, bytes, bytes), InternalError);
  EXPECT_THROW(Broadcast::make(group, {6}), InternalError);
  EXPECT_TRUE(equal(Dot::make(sums, bytes, bytes), Dot::make(sums, bytes, bytes)));
}

TEST(Expr, EqualComparesStructure) {
  const Buffer a = make_buffer("A", DType::Float32, {4});
  const Buffer other = make_buffer("A", DType::Float32, {4});
  EXPECT_TRUE(equal(Load::make(a, {i64(1)}), Load::make(a, {i64(1)})));
  EXPECT_FALSE(equal(Load::make(a, {i64(1)}), Load::make(other, {i64(1)})));
  EXPECT_FALSE(equal(i64(1), IntImm::make(1, DType::Int32)));
  EXPECT_FALSE(equal(FloatImm::make(0.0, DType::Float32), FloatImm::make(-0.0, DType::Float32)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(equal(FloatImm::make(nan, DType::Float64), FloatImm::make(-nan, DType::Float64)));
}

}  // namespace
}  // namespace solway::ir
