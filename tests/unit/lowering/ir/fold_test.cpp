#include "lowering/ir/fold.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"

namespace solway::ir {
namespace {

std::string folded(const std::string& text) {
  static const Scope kScope{{{"A", make_buffer("A", DType::Float32, {4, 8})}},
                            {{"i", kInt64},
                             {"j", kInt64},
                             {"p", kBool},
                             {"x", {DType::Float32, {}}},
                             {"n", {DType::Int32, {}}}}};
  return to_string(simplify(parse_expr(text, kScope)));
}

TEST(Fold, EvaluatesConstants) {
  EXPECT_EQ(folded("((2 + 3) * -4)"), "-20");
  EXPECT_EQ(folded("(-7 // 2)"), "-4");
  EXPECT_EQ(folded("(-7 % 2)"), "1");
  EXPECT_EQ(folded("(7 % -2)"), "-1");
  EXPECT_EQ(folded("min(3, max(1, 2))"), "2");
  EXPECT_EQ(folded("(3 <= 3)"), "true");
  EXPECT_EQ(folded("pow(3i32, 4i32)"), "81i32");
  EXPECT_EQ(folded("abs(neg(3))"), "3");
  EXPECT_EQ(folded("float32(3)"), "3.0f32");
  EXPECT_EQ(folded("int8(300)"), "44i8");
}

TEST(Fold, WrapsAndNeverTraps) {
  EXPECT_EQ(folded("(9223372036854775807 + 1)"), "-9223372036854775808");
  EXPECT_EQ(folded("(127i8 + 1i8)"), "-128i8");
  EXPECT_EQ(folded("(-9223372036854775808 // -1)"), "-9223372036854775808");
  EXPECT_EQ(folded("(5 // 0)"), "0");
  EXPECT_EQ(folded("(5 % 0)"), "0");
  EXPECT_EQ(folded("neg(-128i8)"), "-128i8");
}

TEST(Fold, DropsNeutralOperands) {
  EXPECT_EQ(folded("(0 + i)"), "i");
  EXPECT_EQ(folded("((i * 1) - 0)"), "i");
  EXPECT_EQ(folded("((i + 3) - 3)"), "i");
  EXPECT_EQ(folded("((i + 1) + 2)"), "(i + 3)");
  EXPECT_EQ(folded("(i - i)"), "0");
  EXPECT_EQ(folded("(i * 0)"), "0");
  EXPECT_EQ(folded("(i < i)"), "false");
  EXPECT_EQ(folded("(p and true)"), "p");
  EXPECT_EQ(folded("(p or true)"), "true");
  EXPECT_EQ(folded("select((1 < 2), i, j)"), "i");
  EXPECT_EQ(folded("not(not(p))"), "p");
}

TEST(Fold, LeavesFloatsAlone) {
  EXPECT_EQ(folded("(x + 0.0f32)"), "(x + 0.0f32)");
  EXPECT_EQ(folded("(x * 0.0f32)"), "(x * 0.0f32)");
  EXPECT_EQ(folded("(x - x)"), "(x - x)");
  EXPECT_EQ(folded("(x * 1.0f32)"), "x");
  EXPECT_EQ(folded("(x == x)"), "(x == x)");
}

TEST(Fold, FlatIndexIsRowMajor) {
  const BufferNode a = *make_buffer("A", DType::Float32, {4, 8});
  EXPECT_EQ(to_string(flat_index(a, {Var::make("i"), Var::make("j")})), "((i * 8) + j)");
  EXPECT_EQ(to_string(flat_index(a, {index(1), index(2)})), "10");
}

/// a = q * b + r with a rest of the sign of b.
TEST(OperandsOf, AreThoseOfOneOperationInEachOther) {
  const Expr a = Var::make("a");
  const Expr b = Var::make("b");
  const Expr c = Var::make("c");
  const std::vector<Expr> found = operands_of(BinaryOp::Min, min(min(a, max(b, c)), c));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].same_as(a));
  EXPECT_EQ(to_string(found[1]), "max(b, c)");
  EXPECT_TRUE(found[2].same_as(c));
  EXPECT_TRUE(operands_of(BinaryOp::Max, a).at(0).same_as(a));
}

TEST(Fold, DivisionAgreesWithItsDefinition) {
  for (std::int64_t a = -9; a <= 9; ++a) {
    for (std::int64_t b = -4; b <= 4; ++b) {
      if (b == 0) continue;
      const std::int64_t q = *try_evaluate(BinaryOp::FloorDiv, a, b, DType::Int64);
      const std::int64_t r = *try_evaluate(BinaryOp::Mod, a, b, DType::Int64);
      EXPECT_EQ(q * b + r, a);
      EXPECT_TRUE(r == 0 || (r < 0) == (b < 0));
      EXPECT_LT(std::abs(r), std::abs(b));
    }
  }
}

}  // namespace
}  // namespace solway::ir
