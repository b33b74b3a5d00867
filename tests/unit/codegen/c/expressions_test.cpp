#include "codegen/c/expressions.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::codegen::c99 {
namespace {

std::string c_text(const std::string& text) {
  const ir::Kernel k = ir::parse_kernel(
      "kernel k(in A: float32[4, 8], in N: int32[4]) {"
      "  for i in [0, 4) { for any in [0, 4) { let x = 1.0f32 { let p = true { } } } } }");
  ir::Scope scope;
  for (const ir::Param& param : k.params) scope.buffers[param.buffer->name] = param.buffer;
  scope.vars = {
      {"i", ir::kInt64}, {"any", ir::kInt64}, {"x", {DType::Float32, {}}}, {"p", ir::kBool}};
  const CNames names(k);
  CHelpers helpers;
  CExpressions c(names, helpers);
  c.ranges["i"] = {0, 3};
  return c.text(ir::parse_expr(text, scope));
}

TEST(CExpressions, LiteralsAreExact) {
  EXPECT_EQ(c_text("0.1f32"), "0.1f");
  EXPECT_EQ(c_text("2.0f64"), "2.0");
  EXPECT_EQ(c_text("-inf_f32"), "-INFINITY");
  EXPECT_EQ(c_text("nan_f64"), "(double)NAN");
  EXPECT_EQ(c_text("3000000000"), "INT64_C(3000000000)");
  EXPECT_EQ(c_text("-9223372036854775808"), "INT64_MIN");
  EXPECT_EQ(c_text("-2147483648i32"), "INT32_MIN");
  EXPECT_EQ(c_text("true"), "true");
}

TEST(CExpressions, PlainOperatorsOnlyWhereNothingOverflows) {
  EXPECT_EQ(c_text("((i * 8) + 1)"), "((i * 8) + 1)");
  EXPECT_EQ(c_text("(any + 1)"), "sw_add_i64(any, 1)");
  EXPECT_EQ(c_text("(N[i] * 2i32)"), "sw_mul_i32(N[i], 2)");
  EXPECT_EQ(c_text("(i // 2)"), "(i / 2)");
  EXPECT_EQ(c_text("(i % 2)"), "(i % 2)");
  EXPECT_EQ(c_text("((i - 1) // 2)"), "sw_floordiv_i64(i - 1, 2)");
  EXPECT_EQ(c_text("(i // any)"), "sw_floordiv_i64(i, any)");
}

TEST(CExpressions, SmallLiteralsAreWidenedAmongThemselves) {
  EXPECT_EQ(c_text("(select(p, 5, 6) * 1000000000)"), "((int64_t)(p ? 5 : 6) * 1000000000)");
}

TEST(CExpressions, ElementsAreFlat) {
  EXPECT_EQ(c_text("A[i, 3]"), "A[(i * 8) + 3]");
  EXPECT_EQ(c_text("A[0, 0]"), "A[0]");
}

TEST(CExpressions, FunctionsMatchTheType) {
  EXPECT_EQ(c_text("sqrt(x)"), "sqrtf(x)");
  EXPECT_EQ(c_text("round(float64(x))"), "rint((double)x)");
  EXPECT_EQ(c_text("neg(-1.0f32)"), "(-(-1.0f))");
  EXPECT_EQ(c_text("min(x, 1.0f32)"), "sw_min_f32(x, 1.0f)");
  EXPECT_EQ(c_text("pow(x, x)"), "powf(x, x)");
  EXPECT_EQ(c_text("int8(x)"), "sw_from_f32_i8(x)");
  EXPECT_EQ(c_text("bool(x)"), "(x != 0)");
  EXPECT_EQ(c_text("select((p and not(p)), x, 0.0f32)"), "((p && (!p)) ? x : 0.0f)");
}

TEST(CExpressions, RefusesVectors) { EXPECT_THROW(c_text("broadcast(x, 8)"), UnsupportedError); }

}  // namespace
}  // namespace solway::codegen::c99
