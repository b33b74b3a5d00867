#include "lowering/chosen_positions.h"

#include <gtest/gtest.h>

#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

using ir::Expr;

Expr var(const std::string& name, DType type = DType::Int64) {
  return ir::Var::make(name, {type, {}});
}

Expr is_less(const Expr& a, const Expr& b) { return ir::Binary::make(BinaryOp::Lt, a, b); }

/// The new position where `v` says so or it is smaller.
Expr smallest() {
  const Expr takes =
      ir::Binary::make(BinaryOp::Or, var("v", DType::Bool), is_less(var("u"), var("u_before")));
  return ir::Select::make(takes, var("u"), var("u_before"));
}

TEST(ChosenPositions, OnlyChoicesOfTheTwoCount) {
  EXPECT_TRUE(chooses_among(smallest(), "u", "u_before"));
  EXPECT_TRUE(chooses_among(var("u"), "u", "u_before"));
  EXPECT_FALSE(chooses_among(smallest(), "u", "w"));
  EXPECT_FALSE(chooses_among(ir::add(var("u"), ir::index(1)), "u", "u_before"));
}

TEST(ChosenPositions, ComparisonsAndChoicesAreNarrowed) {
  const auto made = try_narrow(smallest(), {"u", "u_before"});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->type().scalar, DType::Int32);
  EXPECT_EQ(to_string(*made), to_string(smallest()));
  const auto other = try_narrow(var("t", DType::Float32), {"u"});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->type().scalar, DType::Float32);
}

TEST(ChosenPositions, WhatElseUsesThemKeepsThem) {
  EXPECT_FALSE(try_narrow(ir::add(var("u"), ir::index(1)), {"u"}));
  EXPECT_FALSE(try_narrow(is_less(var("u"), ir::index(5)), {"u"}));
  EXPECT_FALSE(try_narrow(ir::Cast::make(var("u"), DType::Float32), {"u"}));
  EXPECT_FALSE(try_narrow(ir::Unary::make(UnaryOp::Neg, var("u")), {"u"}));
  EXPECT_FALSE(try_narrow(smallest(), {"u"}));
}

TEST(ChosenPositions, AKnownOrderDecidesComparisons) {
  EXPECT_EQ(to_string(with_order(smallest(), {{"u", "u_before"}})), "select(v, u, u_before)");
  EXPECT_EQ(to_string(with_order(smallest(), {{"u_before", "u"}})), "u");
  EXPECT_EQ(to_string(with_order(smallest(), {{"u", "w"}})), to_string(smallest()));
}

TEST(ChosenPositions, WhatIsLeftIsComparedOnce) {
  const Expr t = var("t", DType::Float32);
  const Expr s = var("s", DType::Float32);
  const Expr differs = ir::Binary::make(BinaryOp::Ne, t, s);
  const Expr wins = ir::Binary::make(BinaryOp::Or, differs, is_less(var("u"), var("u_before")));
  const Expr takes =
      ir::Binary::make(BinaryOp::And, ir::Unary::make(UnaryOp::Not, is_less(t, s)), wins);
  EXPECT_EQ(to_string(with_order(takes, {{"u", "u_before"}})), "not((t <= s))");
}

}  // namespace
}  // namespace solway::lowering
