#include "lowering/carry_values.h"

#include <string>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["S"] = ir::make_buffer("S", DType::Float32, {4, 8});
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {4, 8});
  scope.buffers["R"] = ir::make_buffer("R", DType::Float32, {8}, "register");
  scope.vars["n"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

std::string carried(const std::string& text) { return ir::to_string(carry_values(parsed(text))); }

TEST(CarryValues, FromOneIterationToTheNext) {
  EXPECT_EQ(carried("for j in [1, 8) { S[0, j] = (A[0, j] + S[0, (j - 1)]) }"),
            "allocate S_carried: float32[1] in register {\n"
            "  S_carried[0] = S[0, 0]\n"
            "  for j in [1, 8) {\n"
            "    S_carried[0] = (A[0, j] + S_carried[0])\n"
            "    S[0, j] = S_carried[0]\n"
            "  }\n"
            "}\n");
}

TEST(CarryValues, OfRowsThatRunTogether) {
  EXPECT_EQ(carried("for j in [1, 8) {\n"
                    "  S[0, j] = (S[0, (j - 1)] * S[0, (j - 1)])\n"
                    "  S[1, j] = (A[1, j] + S[1, (j - 1)])\n"
                    "  S[2, j] = A[2, j]\n"
                    "}"),
            "allocate S_carried_2: float32[1] in register {\n"
            "  allocate S_carried: float32[1] in register {\n"
            "    S_carried[0] = S[0, 0]\n"
            "    S_carried_2[0] = S[1, 0]\n"
            "    for j in [1, 8) {\n"
            "      S_carried[0] = (S_carried[0] * S_carried[0])\n"
            "      S[0, j] = S_carried[0]\n"
            "      S_carried_2[0] = (A[1, j] + S_carried_2[0])\n"
            "      S[1, j] = S_carried_2[0]\n"
            "      S[2, j] = A[2, j]\n"
            "    }\n"
            "  }\n"
            "}\n");
}

/// Down the rows, and from behind.
TEST(CarryValues, WhereverTheIterationBeforeStored) {
  EXPECT_NE(carried("for i in [1, 4) { S[i, 2] = (A[i, 2] + S[(i - 1), 2]) }")
                .find("S_carried[0] = S[0, 2]"),
            std::string::npos);
  EXPECT_NE(carried("for j in [0, 7) { S[0, (6 - j)] = (A[0, j] + S[0, (7 - j)]) }")
                .find("S_carried[0] = S[0, 7]"),
            std::string::npos);
}

TEST(CarryValues, KeepsOtherLoops) {
  for (const char* text : {
           "for j in [1, n) { S[0, j] = (A[0, j] + S[0, (j - 1)]) }",  // may have no iteration
           "for j in [2, 8) { S[0, j] = (A[0, j] + S[0, (j - 2)]) }",  // of two iterations before
           "for j in [1, 8) { S[0, j] = (A[0, j] + S[1, (j - 1)]) }",
           "for j in [1, 8) { S[0, j] = (A[0, j] + A[0, (j - 1)]) }",
           "for j in [1, 8) { S[0, j] = select((j > n), S[0, (j - 1)], 0.0f32) }",  // not always
           "for j in [1, 8) parallel { S[0, j] = (A[0, j] + S[0, (j - 1)]) }",
           "for j in [1, 8) { R[j] = (A[0, j] + R[(j - 1)]) }",
           "for j in [1, 8) { S[0, n] = (A[0, j] + S[0, n]) }",
           // Another store comes in between, or may.
           "for j in [1, 8) { S[0, j] = (A[0, j] + S[0, (j - 1)]) S[0, j] = 0.0f32 }",
           "for j in [1, 8) { S[0, (j - 1)] = 0.0f32 S[0, j] = (A[0, j] + S[0, (j - 1)]) }",
           "for j in [1, 8) { S[n, 3] = 0.0f32 S[0, j] = (A[0, j] + S[0, (j - 1)]) }",
           "for j in [1, 8) { A[0, j] = 0.0f32 S[0, j] = (A[0, j] + S[0, (j - 1)]) }",
       }) {
    const ir::Stmt s = parsed(text);
    EXPECT_TRUE(carry_values(s).same_as(s)) << text << ir::to_string(carry_values(s));
  }
}

}  // namespace
}  // namespace solway::lowering
