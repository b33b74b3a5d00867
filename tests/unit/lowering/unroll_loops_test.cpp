#include "lowering/unroll_loops.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt stmt(const std::string& text) {
  static const ir::Scope kScope{
      {{"C", ir::make_buffer("C", DType::Float32, {64})},
       {"D", ir::make_buffer("D", DType::Float32, {4, 4})},
       {"R", ir::make_buffer("R", DType::Float32, {4, 4, 16}, "register")}},
      {{"n", ir::kInt64}}};
  return ir::parse_stmt(text, kScope);
}

std::string unrolled(const std::string& text) {
  Remarks remarks;
  std::string out = to_string(unroll_loops(stmt(text), remarks));
  EXPECT_TRUE(remarks.empty());
  return out;
}

TEST(UnrollLoops, AsDocumented) {
  EXPECT_EQ(unrolled("for i in [0, 2) unrolled { C[(i + 4)] = 0.0f32 }"),
            "C[4] = 0.0f32\nC[5] = 0.0f32\n");
}

TEST(UnrollLoops, NestsAndSymbolicBegins) {
  EXPECT_EQ(
      unrolled("for i in [0, 2) unrolled { for j in [i, (i + 2)) unrolled { C[j] = 0.0f32 } }"),
      "C[0] = 0.0f32\nC[1] = 0.0f32\nC[1] = 0.0f32\nC[2] = 0.0f32\n");
  EXPECT_EQ(unrolled("for i in [n, (n + 2)) unrolled { C[i] = 0.0f32 }"),
            "C[n] = 0.0f32\nC[(n + 1)] = 0.0f32\n");
  EXPECT_EQ(unrolled("for i in [3, 3) unrolled { C[i] = 0.0f32 }"), "");
}

TEST(UnrollLoops, LoopsInsideMayHaveAnotherCountInEachCopy) {
  EXPECT_EQ(unrolled("for i in [0, 2) unrolled { for j in [0, (2 - i)) unrolled { C[((i * 8) + j)] "
                     "= 0.0f32 } }"),
            "C[0] = 0.0f32\nC[1] = 0.0f32\nC[8] = 0.0f32\n");
}

TEST(UnrollLoops, WhatRegistersHoldHasAConditionWhereTheCountDiffers) {
  EXPECT_EQ(unrolled("for y in [max(n, 0), 2) unrolled { R[1, y, 0] = (R[1, y, 0] + C[y]) }"),
            "if (max(n, 0) <= 0) {\n"
            "  R[1, 0, 0] = (R[1, 0, 0] + C[0])\n"
            "}\n"
            "if (max(n, 0) <= 1) {\n"
            "  R[1, 1, 0] = (R[1, 1, 0] + C[1])\n"
            "}\n");
  EXPECT_EQ(unrolled("for y in [max(n, 0), min((n + 3), 2)) unrolled { R[0, y, 0] = C[y] }"),
            "if ((max(n, 0) <= 0) and (0 < min((n + 3), 2))) {\n"
            "  R[0, 0, 0] = C[0]\n"
            "}\n"
            "if ((max(n, 0) <= 1) and (1 < min((n + 3), 2))) {\n"
            "  R[0, 1, 0] = C[1]\n"
            "}\n");
}

/// One condition for all copies of the other loops.
TEST(UnrollLoops, WhatIsStoredFromRegistersHasConditionsToo) {
  Remarks remarks;
  EXPECT_EQ(to_string(unroll_loops(
                stmt("for i in [0, min(n, 2)) unrolled { D[0, i] = R[0, i, 0] }"), remarks)),
            "if (0 < min(n, 2)) {\n  D[0, 0] = R[0, 0, 0]\n}\n"
            "if (1 < min(n, 2)) {\n  D[0, 1] = R[0, 1, 0]\n}\n");
  EXPECT_TRUE(remarks.empty());
}

TEST(UnrollLoops, LoopsWithConditionsStandOutsideOfOthers) {
  const std::string guards =
      "if (max(n, 1) <= 1) {\n"
      "  vstore(R[0, 1, 0], 16) = (vload(R[0, 1, 0], 16) + broadcast(C[0], 16))\n"
      "  vstore(R[1, 1, 0], 16) = (vload(R[1, 1, 0], 16) + broadcast(C[1], 16))\n"
      "}\n"
      "if (max(n, 1) <= 2) {\n"
      "  vstore(R[0, 2, 0], 16) = (vload(R[0, 2, 0], 16) + broadcast(C[0], 16))\n"
      "  vstore(R[1, 2, 0], 16) = (vload(R[1, 2, 0], 16) + broadcast(C[1], 16))\n"
      "}\n";
  const std::string sum = "vstore(R[i, y, 0], 16) = (vload(R[i, y, 0], 16) + broadcast(C[i], 16))";
  EXPECT_EQ(
      unrolled("for i in [0, 2) unrolled { for y in [max(n, 1), 3) unrolled { " + sum + " } }"),
      guards);
  EXPECT_EQ(
      unrolled("for y in [max(n, 1), 3) unrolled { for i in [0, 2) unrolled { " + sum + " } }"),
      guards);
  EXPECT_EQ(unrolled("for i in [0, 2) unrolled { for z in [0, 1) unrolled {"
                     " for y in [max(n, 1), 2) unrolled { R[i, y, z] = C[i] } } }"),
            "if (max(n, 1) <= 1) {\n"
            "  R[0, 1, 0] = C[0]\n"
            "  R[1, 1, 0] = C[1]\n"
            "}\n");
}

/// As taps of a stride of 2 have it that leave out a border.
TEST(UnrollLoops, LoopsAroundMaySayWhatACountIsAtMost) {
  EXPECT_EQ(unrolled("for q in [0, 3) {"
                     " for y in [(1 - (q // 2)), ((q // 2) + 1)) unrolled { R[0, y, 0] = C[q] } }"),
            "for q in [0, 3) {\n"
            "  if (((1 - (q // 2)) <= 0) and (0 < ((q // 2) + 1))) {\n"
            "    R[0, 0, 0] = C[q]\n"
            "  }\n"
            "  if (((1 - (q // 2)) <= 1) and (1 < ((q // 2) + 1))) {\n"
            "    R[0, 1, 0] = C[q]\n"
            "  }\n"
            "}\n");
}

TEST(UnrollLoops, LoopsWithConditionsStayInsideWhereTheirOrderMatters) {
  const std::string text = unrolled(
      "for i in [0, 2) unrolled { for y in [max(n, 1), 2) unrolled {"
      " R[0, y, 0] = (R[0, y, 0] * C[i]) } }");
  EXPECT_EQ(text,
            "if (max(n, 1) <= 1) {\n  R[0, 1, 0] = (R[0, 1, 0] * C[0])\n}\n"
            "if (max(n, 1) <= 1) {\n  R[0, 1, 0] = (R[0, 1, 0] * C[1])\n}\n");
}

TEST(UnrollLoops, OtherLoopsWhoseCountDiffersStay) {
  for (const char* text : {
           "for y in [max(n, 0), 2) unrolled { D[0, y] = 0.0f32 }",           // memory
           "for y in [n, 2) unrolled { R[0, y, 0] = 0.0f32 }",                // of unknown length
           "for y in [max(n, 0), 99) unrolled { R[0, y, 0] = 0.0f32 }",       // too long
           "for y in [max(n, 0), 2) unrolled { R[0, 0, (y * 2)] = 0.0f32 }",  // not its own place
       }) {
    Remarks remarks;
    unroll_loops(stmt(text), remarks);
    EXPECT_EQ(remarks.size(), 1U) << text;
  }
}

TEST(UnrollLoops, KeepsIdentity) {
  Remarks remarks;
  const ir::Stmt s = stmt("for i in [0, 2) { C[i] = 0.0f32 }");
  EXPECT_TRUE(unroll_loops(s, remarks).same_as(s));
}

TEST(UnrollLoops, SaysWhyALoopStays) {
  Remarks remarks;
  EXPECT_EQ(to_string(unroll_loops(stmt("for i in [0, n) unrolled { C[i] = 0.0f32 }"), remarks)),
            "for i in [0, n) {\n  C[i] = 0.0f32\n}\n");
  unroll_loops(stmt("for i in [0, 2000) unrolled { C[i] = 0.0f32 }"), remarks);
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[0].step, "unroll(i)");
  EXPECT_EQ(remarks[0].why, "the number of iterations, n, is not constant");
  EXPECT_EQ(remarks[1].why, "2000 iterations, at most 1024 are copied");
}

}  // namespace
}  // namespace solway::lowering
