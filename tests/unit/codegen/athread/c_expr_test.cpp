#include "codegen/athread/c_expr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CExpr : public testing::Test {
 protected:
  CExpr() : names_({"A", "i", "j", "for"}, {}), printer_(names_, ranges_) {
    scope_.buffers["A"] = ir::make_buffer("A", DType::Float32, {64, 128});
    scope_.buffers["N"] = ir::make_buffer("N", DType::Int32, {8});
    scope_.buffers["B"] = ir::make_buffer("B", DType::Int8, {8});
    scope_.buffers["S"] = ir::make_buffer("S", DType::Float64, {});
    for (const char* var : {"i", "j", "for"}) scope_.vars[var] = ir::kInt64;
    ranges_["i"] = {0, 63};
    ranges_["j"] = {-5, 5};
    ranges_["for"] = {0, 7};
  }

  std::string c(const std::string& text) { return printer_.print(ir::parse_expr(text, scope_)); }

  ir::Scope scope_;
  ir::Ranges ranges_;
  CNames names_;
  CExprPrinter printer_;
};

TEST_F(CExpr, IndexArithmeticIsPlainC) {
  EXPECT_EQ(c("A[((i * 64) + j), (i + (j - 3))]"), "A[i * 64 + j][i + (j - 3)]");
  EXPECT_EQ(c("((i + -1) * (2 - i))"), "(i - 1) * (2 - i)");
  EXPECT_EQ(c("((i // 4) + (i % 4))"), "i / 4 + i % 4");
  EXPECT_EQ(c("(100000 * 100000)"), "10000000000L");
  EXPECT_TRUE(printer_.helpers().empty());
}

TEST_F(CExpr, WhatCDoesNotDoExactlyCallsAHelper) {
  EXPECT_EQ(c("(j // 4)"), "floor_div_i64(j, 4)");
  EXPECT_EQ(c("(j % 4)"), "mod_i64(j, 4)");
  EXPECT_EQ(c("min(i, j)"), "min_i64(i, j)");
  EXPECT_EQ(c("(N[0] + N[1])"), "add_i32(N[0], N[1])");
  EXPECT_EQ(c("(B[0] * B[1])"), "(signed char)mul_i32(B[0], B[1])");
  EXPECT_EQ(c("int32(A[0, 0])"), "f64_to_i32(A[0][0])");
  EXPECT_THAT(printer_.helpers(), ElementsAre("add_i32", "f64_to_i32", "floor_div_i64", "min_i64",
                                              "mod_i64", "mul_i32"));
}

TEST_F(CExpr, FloatsKeepTheirOrder) {
  EXPECT_EQ(c("(A[0, 0] + (A[0, 1] + A[0, 2]))"), "A[0][0] + (A[0][1] + A[0][2])");
  EXPECT_EQ(c("((A[0, 0] - 0.5f32) * neg(A[0, 1]))"), "(A[0][0] - 0.5f) * -A[0][1]");
  EXPECT_EQ(c("max(A[0, 0], 0.0f32)"), "max_f32(A[0][0], 0.0f)");
  EXPECT_FALSE(printer_.needs_math());
  EXPECT_EQ(c("sqrt(S[])"), "sqrt(S[0])");
  EXPECT_EQ(c("(A[0, 0] + inf_f32)"), "A[0][0] + INFINITY");
  EXPECT_TRUE(printer_.needs_math());
}

TEST_F(CExpr, ConditionsAndSelectionsAreParenthesisedAsCompilersAsk) {
  EXPECT_EQ(c("(((i < 4) and (j < 0)) or (i == 9))"), "(i < 4 && j < 0) || i == 9");
  EXPECT_EQ(c("(select((i < 4), A[i, 0], 0.0f32) + 1.0f32)"), "(i < 4 ? A[i][0] : 0.0f) + 1.0f");
  EXPECT_EQ(c("not((i < 4))"), "!(i < 4)");
  EXPECT_EQ(c("float32(((i - 1) * 2))"), "(float)((i - 1) * 2)");
}

TEST_F(CExpr, WordsOfCAreRenamed) { EXPECT_EQ(c("(for + 1)"), "for_ + 1"); }

TEST_F(CExpr, VectorsAreNotScalars) {
  try {
    c("vload(A[i, 0], 8)");
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.what(), HasSubstr("vload"));
  }
}

TEST_F(CExpr, CombinesTwo) {
  EXPECT_EQ(printer_.combined(ReduceOp::Sum, DType::Float32, "a", "b"), "(a + b)");
  EXPECT_EQ(printer_.combined(ReduceOp::Prod, DType::Float32, "a", "b"), "(a * b)");
  EXPECT_EQ(printer_.combined(ReduceOp::Min, DType::Float32, "a", "b"), "min_f32(a, b)");
  EXPECT_EQ(printer_.combined(ReduceOp::Max, DType::Float64, "a", "b"), "max_f64(a, b)");
  EXPECT_THAT(printer_.helpers(), ElementsAre("max_f64", "min_f32"));
}

TEST_F(CExpr, RegistersAreVariables) {
  RegisterNames names;
  names.variables[130] = {"A_0", {DType::Float32, {}}};
  printer_.keep("A", names);
  EXPECT_EQ(c("(A[1, 2] + 1.0f32)"), "A_0 + 1.0f");
  printer_.drop("A");
  EXPECT_EQ(c("A[1, 2]"), "A[1][2]");
}

}  // namespace
}  // namespace solway::codegen
