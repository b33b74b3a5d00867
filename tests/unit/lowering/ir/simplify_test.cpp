#include "lowering/ir/simplify.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::ir {
namespace {

Stmt stmt(const std::string& text) {
  static const Scope kScope{{{"A", make_buffer("A", DType::Float32, {4})}},
                            {{"n", kInt64}, {"p", kBool}}};
  return parse_stmt(text, kScope);
}

std::string simplified(const std::string& text) { return to_string(simplify(stmt(text))); }

TEST(Simplify, RemovesWhatConstantsDecide) {
  EXPECT_EQ(
      simplified("for i in [0, (4 - 4)) { A[i] = 0.0f32 } if (1 < 2) { A[(0 + 1)] = 1.0f32 }"),
      "A[1] = 1.0f32\n");
  EXPECT_EQ(simplified("if (2 < 1) { A[0] = 0.0f32 } else { A[1] = 0.0f32 }"), "A[1] = 0.0f32\n");
}

TEST(Simplify, RemovesEmptyBodies) {
  EXPECT_EQ(simplified("for i in [0, n) { if p { } else { } }"), "");
  EXPECT_EQ(simplified("allocate B: float32[4] in ldm { let x = n { } }"), "");
  EXPECT_EQ(simplified("if p { } else { A[0] = 0.0f32 }"), "if not(p) {\n  A[0] = 0.0f32\n}\n");
  EXPECT_EQ(simplified("if p { A[0] = 0.0f32 } else { }"), "if p {\n  A[0] = 0.0f32\n}\n");
}

TEST(Simplify, KeepsIdentity) {
  const Stmt s = stmt("for i in [0, n) { if (i < 3) { A[(i + 1)] = (A[i] + 0.0f32) } }");
  EXPECT_TRUE(simplify(s).same_as(s));
}

TEST(Simplify, KeepsASymbolicRange) {
  const std::string text = "for i in [n, 4) {\n  A[i] = 0.0f32\n}\n";
  EXPECT_EQ(simplified(text), text);
}

}  // namespace
}  // namespace solway::ir
