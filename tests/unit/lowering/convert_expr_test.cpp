#include "lowering/convert_expr.h"

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "support/error.h"
#include "support/isl_context.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering {
namespace {

TEST(ConvertAstExpr, KeepsTheMeaningOfRoundingDivisions) {
  const IslContext isl;
  const isl::ast_build build(isl.get());
  const auto text = [&](const std::string& value) {
    const isl::ast_expr expr = build.expr_from(isl::pw_aff(isl.get(), value));
    return ir::to_string(convert_ast_expr(expr, {{"n", ir::Var::make("n")}}));
  };
  EXPECT_EQ(text("[n] -> { [7] }"), "7");
  EXPECT_EQ(text("[n] -> { [n + 1] }"), "(n + 1)");
  EXPECT_EQ(text("[n] -> { [floor(n/4)] }"), "(n // 4)");
}

TEST(ConvertExpr, PutsLeavesInPlace) {
  const samples::Pipeline p(4);
  Leaves leaves;
  leaves.axes.emplace(p.pi, ir::Var::make("i"));
  const auto next = p.p->body->operands[1]->operands[0];
  EXPECT_EQ(ir::to_string(convert_expr(next, leaves)), "(i + 1)");
}

TEST(ConvertExpr, ASelectKeepsItsSides) {
  const samples::Pipeline p(4);
  Leaves leaves;
  leaves.axes.emplace(p.pi, ir::Var::make("i"));
  const dsl::Expr i = samples::value_of(p.pi);
  const dsl::Expr two = dsl::make_int(2, DType::Int64, false, samples::at(2));
  const dsl::Expr condition = dsl::make_binary(BinaryOp::Lt, i, two, samples::at(2));
  const dsl::Expr select = dsl::make_select(condition, i, two, samples::at(2));
  EXPECT_EQ(ir::to_string(convert_expr(select, leaves)), "select((i < 2), i, 2)");
}

TEST(ConvertExpr, AReductionMustBeAStatementOfItsOwn) {
  const samples::Matmul m(2, 3, 4);
  try {
    convert_expr(m.c->body, {});
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_EQ(e.report().what, "a reduction is left inside a statement");
    EXPECT_EQ(e.report().where.line, 4);
  }
}

}  // namespace
}  // namespace solway::lowering
