#include "dsl/type_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using testing::element;
using ::testing::HasSubstr;
using testing::line;
using testing::lit;

TEST(TypeRules, PromotesAsNumPy) {
  const auto B = DType::Bool, I8 = DType::Int8, I32 = DType::Int32, I64 = DType::Int64;
  const auto F32 = DType::Float32, F64 = DType::Float64;
  const auto I16 = DType::Int16, U8 = DType::UInt8, F16 = DType::Float16;
  const std::vector<DType> all = {B, I8, U8, I16, I32, I64, F16, F32, F64};
  const std::vector<std::vector<DType>> expected = {
      {B, I8, U8, I16, I32, I64, F16, F32, F64},     {I8, I8, I16, I16, I32, I64, F16, F32, F64},
      {U8, I16, U8, I16, I32, I64, F16, F32, F64},   {I16, I16, I16, I16, I32, I64, F32, F32, F64},
      {I32, I32, I32, I32, I32, I64, F64, F64, F64}, {I64, I64, I64, I64, I64, I64, F64, F64, F64},
      {F16, F16, F16, F32, F64, F64, F16, F32, F64}, {F32, F32, F32, F32, F64, F64, F32, F32, F64},
      {F64, F64, F64, F64, F64, F64, F64, F64, F64}};
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      EXPECT_EQ(promote(all[a], all[b]), expected[a][b])
          << to_string(all[a]) << " and " << to_string(all[b]);
    }
  }
}

TEST(TypeRules, ALiteralTakesTheOtherType) {
  EXPECT_EQ(common_type(element(DType::Int8), lit(3L)), DType::Int8);
  EXPECT_EQ(common_type(lit(3L), element(DType::Float32)), DType::Float32);
  EXPECT_EQ(common_type(element(DType::Float32), lit(0.5)), DType::Float32);
  EXPECT_EQ(common_type(element(DType::Int8), lit(0.5)), DType::Float64);
  EXPECT_EQ(common_type(lit(1L), lit(0.5)), DType::Float64);
  const Expr condition = make_int(1, DType::Bool, false, line(1));
  EXPECT_EQ(common_type(condition, lit(1L)), DType::Int64);
}

TEST(TypeRules, DividingIntegersGivesFloat64) {
  const auto [a, b] =
      convert_operands(BinaryOp::Div, element(DType::Int8), element(DType::Int8), line(1));
  EXPECT_EQ(a->type, DType::Float64);
  EXPECT_EQ(b->type, DType::Float64);
}

TEST(TypeRules, ComparesWithANumberThatTheTypeCannotHold) {
  const auto [a, b] = convert_operands(BinaryOp::Lt, element(DType::Int8), lit(300L), line(1));
  EXPECT_EQ(a->type, DType::Int64);
  EXPECT_EQ(b->int_value, 300);
}

TEST(TypeRules, RefusesArithmeticWithANumberThatTheTypeCannotHold) {
  try {
    convert_operands(BinaryOp::Add, element(DType::Int8), lit(300L), line(7));
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_THAT(e.report().why, HasSubstr("300 is outside 'int8'"));
  }
}

TEST(TypeRules, ConvertKeepsWhatIsAlreadyRight) {
  const Expr x = element(DType::Float32);
  EXPECT_EQ(convert(x, DType::Float32, line(1)), x);
  EXPECT_EQ(convert(x, DType::Float64, line(1))->kind, ExprKind::Cast);
  const Expr literal = convert(lit(3L), DType::Float32, line(1));
  EXPECT_EQ(literal->kind, ExprKind::Float);
  EXPECT_FALSE(literal->weak);
}

TEST(TypeRules, BFloat16MeetsOthersAsFloat32) {
  const auto BF16 = DType::BFloat16;
  EXPECT_EQ(promote(BF16, BF16), BF16);
  EXPECT_EQ(promote(DType::Bool, BF16), BF16);
  EXPECT_EQ(promote(BF16, DType::Float16), DType::Float32);
  EXPECT_EQ(promote(DType::Int8, BF16), DType::Float32);
  EXPECT_EQ(promote(BF16, DType::Int64), DType::Float64);
}

TEST(TypeRules, MathOfIntegersIsInFloatsOfTheirSize) {
  EXPECT_EQ(float_type_of(DType::Int64), DType::Float64);
  EXPECT_EQ(float_type_of(DType::Int32), DType::Float64);
  EXPECT_EQ(float_type_of(DType::Int16), DType::Float32);
  EXPECT_EQ(float_type_of(DType::UInt8), DType::Float16);
  EXPECT_EQ(float_type_of(DType::Bool), DType::Float16);
  EXPECT_EQ(float_type_of(DType::BFloat16), DType::BFloat16);
  const auto types =
      convert_operands(BinaryOp::Hypot, element(DType::Int8), element(DType::UInt8), line(1));
  EXPECT_EQ(types.first->type, DType::Float16);
}

TEST(TypeRules, BitOperatorsTakeNoFloats) {
  EXPECT_THROW(convert_operands(BinaryOp::BitAnd, element(DType::Float32), lit(1L), line(1)),
               DslError);
  EXPECT_EQ(
      convert_operands(BinaryOp::ShiftLeft, element(DType::Int8), lit(1L), line(1)).second->type,
      DType::Int8);
}

TEST(TypeRules, SumsOfConditionsCount) {
  EXPECT_EQ(accumulation_type(ReduceOp::Sum, DType::Bool), DType::Int64);
  EXPECT_EQ(accumulation_type(ReduceOp::Sum, DType::Int8), DType::Int8);
  EXPECT_EQ(accumulation_type(ReduceOp::Max, DType::Float32), DType::Float32);
  EXPECT_EQ(accumulation_type(ReduceOp::Sum, DType::Float16), DType::Float32);
  EXPECT_EQ(accumulation_type(ReduceOp::Max, DType::Bool), DType::Bool);
}

}  // namespace
}  // namespace solway::dsl
