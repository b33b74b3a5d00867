#include "lowering/ir/linear.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::ir {
namespace {

Expr expr(const std::string& text) {
  return parse_expr(text, {{}, {{"i", kInt64}, {"j", kInt64}}});
}

TEST(Linear, CollectsTerms) {
  EXPECT_EQ(to_string(to_expr(linear_of(expr("(((i * 8) + 3) - (j + (i * 7)))")))),
            "((i + (j * -1)) + 3)");
  EXPECT_EQ(to_string(to_expr(linear_of(expr("((i + 2) - i)")))), "2");
}

TEST(Linear, KeepsOtherExpressionsAsAtoms) {
  EXPECT_EQ(to_string(to_expr(linear_of(expr("((2 * (i // 3)) - (i // 3))")))), "(i // 3)");
}

TEST(Linear, CoefficientOfAVariable) {
  EXPECT_EQ(try_coefficient(expr("((i * 8) + (j // 2))"), "i"), 8);
  EXPECT_EQ(try_coefficient(expr("(j + 1)"), "i"), 0);
  EXPECT_EQ(try_coefficient(expr("((i // 2) + i)"), "i"), std::nullopt);
}

TEST(Linear, CoefficientOfSumsAndProducts) {
  const auto coefficient = [](const std::string& text) {
    const Expr out = coefficient_or_undefined(expr(text), "i");
    return out.defined() ? to_string(out) : "none";
  };
  EXPECT_EQ(coefficient("((((i * 2) + j) * j) - (i * 3))"), "((j * 2) + -3)");
  EXPECT_EQ(coefficient("(j + 1)"), "0");
  EXPECT_EQ(coefficient("(i * i)"), "none");
  EXPECT_EQ(coefficient("((i // 2) * j)"), "none");
}

TEST(Linear, RangeUsesCancellation) {
  const Linear d = linear_of(expr("(i + 4)")) - linear_of(expr("i"));
  const auto range = try_range(d, {});
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->lo, 4);
  EXPECT_EQ(range->hi, 4);
}

TEST(Linear, RangeOfTermsThatShareAVariableOfFewValues) {
  const auto range = [](const std::string& text, const Ranges& vars) {
    return try_range(linear_of(expr(text)), vars);
  };
  EXPECT_EQ(range("((i // 2) - i)", {{"i", {0, 6}}}), (Range{-3, 0}));
  EXPECT_EQ(range("(((i // 2) - i) + (j * 2))", {{"i", {1, 6}}, {"j", {-1, 10}}}), (Range{-5, 19}));
  EXPECT_EQ(range("((i // 2) - i)", {{"i", {0, 100}}}), (Range{-100, 50}));  // term by term
  EXPECT_EQ(range("((i // 2) - i)", {}), std::nullopt);
}

}  // namespace
}  // namespace solway::ir
