#include "lowering/turn_copies.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["K"] = ir::make_buffer("K", DType::Float32, {9, 64});
  scope.buffers["KK"] = ir::make_buffer("KK", DType::Float32, {64, 9}, "panel");
  scope.buffers["KR"] = ir::make_buffer("KR", DType::Float32, {64, 9}, "register");
  scope.buffers["L"] = ir::make_buffer("L", DType::Float32, {64, 9});
  scope.buffers["G"] = ir::make_buffer("G", DType::Float32, {9, 16, 4}, "panel");
  scope.buffers["S"] = ir::make_buffer("S", DType::Float32, {640});
  scope.vars["n"] = ir::kInt64;
  scope.vars["m"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

VectorForms forms() {
  VectorForms out;
  out.lanes = {{DType::Float32, 4}};
  return out;
}

std::string turned(const std::string& text) {
  return ir::to_string(ir::simplify(turn_copies(parsed(text), forms())));
}

TEST(TurnCopies, RunsInSquares) {
  EXPECT_EQ(turned("for r in [0, 64) { for j in [0, 8) { KK[r, j] = K[j, r] } }"),
            "for r_block in [0, 16) {\n"
            "  for j_block in [0, 2) {\n"
            "    vstore(KK[(r_block * 4), (j_block * 4)], 4) = "
            "vload(K[(j_block * 4), (r_block * 4)], 4, stride 64)\n"
            "    vstore(KK[((r_block * 4) + 1), (j_block * 4)], 4) = "
            "vload(K[(j_block * 4), ((r_block * 4) + 1)], 4, stride 64)\n"
            "    vstore(KK[((r_block * 4) + 2), (j_block * 4)], 4) = "
            "vload(K[(j_block * 4), ((r_block * 4) + 2)], 4, stride 64)\n"
            "    vstore(KK[((r_block * 4) + 3), (j_block * 4)], 4) = "
            "vload(K[(j_block * 4), ((r_block * 4) + 3)], 4, stride 64)\n"
            "  }\n"
            "}\n");
}

TEST(TurnCopies, WhatDoesNotFillASquareIsCopiedOneByOne) {
  const std::string text = turned("for j in [0, 9) { for r in [1, 7) { KK[r, j] = K[j, r] } }");
  EXPECT_NE(text.find("vload(K[(j_block * 4), ((r_block * 4) + 1)], 4, stride 64)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("for r in [1, 5) {\n  for j in [8, 9) {\n    KK[r, j] = K[j, r]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("for r in [5, 7) {\n  for j in [0, 9) {\n    KK[r, j] = K[j, r]\n"),
            std::string::npos)
      << text;
}

/// Where parts of vectors cost what whole ones do.
TEST(TurnCopies, PartsOfSquares) {
  VectorForms masked = forms();
  masked.masked_bytes = 4;
  const std::string text = ir::to_string(ir::simplify(
      turn_copies(parsed("for j in [0, 9) { for r in [1, 7) { KK[r, j] = K[j, r] } }"), masked)));
  EXPECT_NE(text.find("  vstore(KK[((r_block * 4) + 1), 8], 4, active 1) = "
                      "vload(K[8, ((r_block * 4) + 1)], 4, stride 64, active 1)\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("for j in [8, 9)"), std::string::npos) << text;
}

/// And how far apart rows are.
TEST(TurnCopies, ACallMaySayHowMuchThereIs) {
  VectorForms masked = forms();
  masked.masked_bytes = 4;
  const char* const source =
      "for j in [0, m) { for r in [0, n) { KK[r, j] = S[(((j + 1) * n) + r)] } }";
  const ir::Stmt s = parsed(source);
  EXPECT_TRUE(turn_copies(s, masked).same_as(s));
  masked.has_strides = true;
  const auto rows = [](const std::string& column, const std::string& active) {
    std::string out;
    for (const char* const row :
         {"(r_block * 4)", "((r_block * 4) + 1)", "((r_block * 4) + 2)", "((r_block * 4) + 3)"}) {
      out += "    vstore(KK[" + std::string(row) + ", " + column + "], 4" + active +
             ") = vload(S[(((" + column + " + 1) * n) + " + row + ")], 4, stride n" + active +
             ")\n";
    }
    return out;
  };
  EXPECT_EQ(ir::to_string(ir::simplify(turn_copies(s, masked))),
            "for r_block in [0, (max(n, 0) // 4)) {\n"
            "  for j_block in [0, (max(m, 0) // 4)) {\n" +
                rows("(j_block * 4)", "") +
                "  }\n"
                "  if ((max(m, 0) % 4) > 0) {\n" +
                rows("((max(m, 0) // 4) * 4)", ", active (max(m, 0) % 4)") +
                "  }\n"
                "}\n"
                "for r in [((max(n, 0) // 4) * 4), n) {\n"
                "  for j in [0, m) {\n"
                "    KK[r, j] = S[(((j + 1) * n) + r)]\n"
                "  }\n"
                "}\n");
}

TEST(TurnCopies, RowsWhoseElementsLieSideBySideAreCopiedInVectors) {
  EXPECT_EQ(turned("for b in [0, 2) { for j in [1, 10) { KK[b, j] = K[b, j] } }"),
            "for b in [0, 2) {\n  for j in [1, 10) {\n    KK[b, j] = K[b, j]\n  }\n}\n");
  const std::string text =
      turned("for b in [0, 4) { for j in [1, 10) { G[n, j, b] = K[((n * 2) + b), j] } }");
  EXPECT_EQ(text,
            "for j_block in [0, 2) {\n"
            "  vstore(G[n, ((j_block * 4) + 1), 0], 4, stride 4) = "
            "vload(K[(n * 2), ((j_block * 4) + 1)], 4)\n"
            "  vstore(G[n, ((j_block * 4) + 1), 1], 4, stride 4) = "
            "vload(K[((n * 2) + 1), ((j_block * 4) + 1)], 4)\n"
            "  vstore(G[n, ((j_block * 4) + 1), 2], 4, stride 4) = "
            "vload(K[((n * 2) + 2), ((j_block * 4) + 1)], 4)\n"
            "  vstore(G[n, ((j_block * 4) + 1), 3], 4, stride 4) = "
            "vload(K[((n * 2) + 3), ((j_block * 4) + 1)], 4)\n"
            "}\n"
            "for b in [0, 4) {\n"
            "  for j in [9, 10) {\n"
            "    G[n, j, b] = K[((n * 2) + b), j]\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(turned("for j in [1, 10) { for b in [0, 4) { G[n, j, b] = K[((n * 2) + b), j] } }"),
            text);
  EXPECT_NE(turned("for b in [0, 4) { for j in [0, 3) { G[n, j, b] = K[b, j] } }")
                .find("], 2, stride 4)"),
            std::string::npos);
}

TEST(TurnCopies, KeepsOtherCopies) {
  for (const char* text : {
           "for r in [0, 64) { for j in [0, 9) { KK[r, j] = L[r, j] } }",   // nothing turns
           "for r in [0, 3) { for j in [0, 9) { KK[r, j] = K[j, r] } }",    // no square
           "for r in [0, 64) { for j in [r, 64) { KK[r, j] = K[j, r] } }",  // a triangle
           "for r in [0, 64) { for j in [0, 9) { L[r, j] = K[j, r] } }",    // might be the same
           "for r in [0, 64) { for j in [0, 9) { KR[r, j] = K[j, r] } }",   // no memory
           "for r in [0, 64) unrolled { for j in [0, 9) { KK[r, j] = K[j, r] } }",
           "for r in [0, 8) { for j in [0, 8) { KK[r, j] = K[j, (r * 2)] } }",
           "for r in [0, 64) { for j in [0, 9) { KK[r, j] = (K[j, r] + 1.0f32) } }",
           "for b in [0, 3) { for j in [0, 9) { G[n, j, b] = K[b, j] } }",  // a part of groups
           "for b in [0, 4) { for j in [0, 9) { G[n, j, b] = K[b, (j * 2)] } }",
       }) {
    const ir::Stmt s = parsed(text);
    EXPECT_TRUE(turn_copies(s, forms()).same_as(s)) << text;
  }
}

TEST(TurnCopies, KeepsTypesWithoutLanes) {
  const ir::Stmt s = parsed("for r in [0, 64) { for j in [0, 8) { KK[r, j] = K[j, r] } }");
  EXPECT_TRUE(turn_copies(s, VectorForms{}).same_as(s));
}

}  // namespace
}  // namespace solway::lowering
