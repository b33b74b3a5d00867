#include "lowering/split_selects.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["P"] = ir::make_buffer("P", DType::Float32, {16, 16});
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {16, 16});
  scope.buffers["N"] = ir::make_buffer("N", DType::Int64, {16});
  scope.vars["y"] = ir::kInt64;
  scope.vars["n"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

std::string split(const std::string& text) { return ir::to_string(split_selects(parsed(text))); }

TEST(SplitSelects, CutsWhereTheConditionChanges) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = select((((1 <= y) and (y < 15)) and ((1 <= x) and (x < 15))),"
                  " A[(y - 1), (x - 1)], 0.0f32)\n}\n"),
            "if ((1 <= y) and (y < 15)) {\n"
            "  for x in [0, 1) {\n"
            "    P[y, x] = 0.0f32\n"
            "  }\n"
            "  for x in [1, 15) vectorized {\n"
            "    P[y, x] = A[(y - 1), (x - 1)]\n"
            "  }\n"
            "  for x in [15, 16) {\n"
            "    P[y, x] = 0.0f32\n"
            "  }\n"
            "} else {\n"
            "  for x in [0, 16) vectorized {\n"
            "    P[y, x] = 0.0f32\n"
            "  }\n"
            "}\n");
}

TEST(SplitSelects, RoundsToTheIterationsThatAConditionHolds) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = select((((x * 3) >= 4) and ((20 - (x * 2)) > 1)), A[y, x], 0.0f32)\n"
                  "}\n"),
            "for x in [0, 2) {\n"
            "  P[y, x] = 0.0f32\n"
            "}\n"
            "for x in [2, 10) vectorized {\n"
            "  P[y, x] = A[y, x]\n"
            "}\n"
            "for x in [10, 16) vectorized {\n"
            "  P[y, x] = 0.0f32\n"
            "}\n");
}

TEST(SplitSelects, CutsInsideOfValuesAndWhatIsLeftOnceMore) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = (P[y, x] + select((x < 8), A[y, x],"
                  " select((x < 12), A[y, (x - 8)], 2.0f32)))\n}\n"),
            "for x in [0, 8) vectorized {\n"
            "  P[y, x] = (P[y, x] + A[y, x])\n"
            "}\n"
            "for x in [8, 12) vectorized {\n"
            "  P[y, x] = (P[y, x] + A[y, (x - 8)])\n"
            "}\n"
            "for x in [12, 16) vectorized {\n"
            "  P[y, x] = (P[y, x] + 2.0f32)\n"
            "}\n");
}

TEST(SplitSelects, PartsOfFewIterationsHaveNoVectors) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = select((x < 13), A[y, x], A[y, (x - 13)])\n}\n"),
            "for x in [0, 13) vectorized {\n"
            "  P[y, x] = A[y, x]\n"
            "}\n"
            "for x in [13, 16) {\n"
            "  P[y, x] = A[y, (x - 13)]\n"
            "}\n");
  const std::string shorter = "for x in [0, 3) vectorized {\n  P[y, x] = A[y, x]\n}\n";
  EXPECT_EQ(split("for x in [0, 3) vectorized { P[y, x] = select((x < 9), A[y, x], 0.0f32) }"),
            shorter);
}

TEST(SplitSelects, PartsOfWhatRegistersHoldAreVectors) {
  EXPECT_EQ(split("allocate R: float32[16] in register {\n"
                  "  for x in [0, 16) vectorized {\n"
                  "    R[x] = select((2 <= x), A[y, x], 0.0f32)\n  }\n}\n"),
            "allocate R: float32[16] in register {\n"
            "  for x in [0, 2) vectorized {\n"
            "    R[x] = 0.0f32\n"
            "  }\n"
            "  for x in [2, 16) vectorized {\n"
            "    R[x] = A[y, x]\n"
            "  }\n"
            "}\n");
}

TEST(SplitSelects, KeepsOneSideWhereTheLoopDoesNotDecide) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = select(((y == 3) and (x < 16)), A[y, x], 0.0f32)\n}\n"),
            "if (y == 3) {\n"
            "  for x in [0, 16) vectorized {\n"
            "    P[y, x] = A[y, x]\n"
            "  }\n"
            "} else {\n"
            "  for x in [0, 16) vectorized {\n"
            "    P[y, x] = 0.0f32\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(split("for x in [0, 16) vectorized { P[y, x] = select((x < 0), A[y, x], 0.0f32) }"),
            "for x in [0, 16) vectorized {\n"
            "  P[y, x] = 0.0f32\n"
            "}\n");
}

TEST(SplitSelects, ConditionsAroundDecideOthersOfTheirKind) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = (select(((y < 9) and (x < 8)), A[y, x], 0.0f32) + "
                  "select(((y < 9) and (x < 8)), A[y, x], 1.0f32))\n}\n"),
            "if (y < 9) {\n"
            "  for x in [0, 8) vectorized {\n"
            "    P[y, x] = (A[y, x] + A[y, x])\n"
            "  }\n"
            "  for x in [8, 16) vectorized {\n"
            "    P[y, x] = (0.0f32 + 1.0f32)\n"
            "  }\n"
            "} else {\n"
            "  for x in [0, 16) vectorized {\n"
            "    P[y, x] = (0.0f32 + 1.0f32)\n"
            "  }\n"
            "}\n");
}

TEST(SplitSelects, ManyChoicesAreNotAllCut) {
  std::string sum = "0.0f32";
  for (int k = 0; k < 12; ++k) {
    const std::string n = std::to_string(k);
    sum = "(select((((y + " + n + ") < 12) and ((x + " + n + ") < 12)), A[(y + " + n + "), (x + " +
          n + ")], 0.0f32) + " + sum + ")";
  }
  const std::string out = split("for x in [0, 16) vectorized { P[y, x] = " + sum + " }");
  std::size_t loops = 0;
  for (std::size_t at = out.find("for x"); at != std::string::npos;
       at = out.find("for x", at + 1)) {
    ++loops;
  }
  EXPECT_GT(loops, 8U);
  EXPECT_LE(loops, 64U);
}

TEST(SplitSelects, CutsWhereAnIndexStaysAtTheBorder) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = A[y, select((x <= 1), 0, select((x == 15), 13, (x - 1)))]\n}\n"),
            "for x in [0, 2) {\n"
            "  P[y, x] = A[y, 0]\n"
            "}\n"
            "for x in [2, 15) vectorized {\n"
            "  P[y, x] = A[y, (x - 1)]\n"
            "}\n"
            "for x in [15, 16) {\n"
            "  P[y, x] = A[y, 13]\n"
            "}\n");
}

TEST(SplitSelects, CutsLoopsThatNeedWhatTheyStored) {
  EXPECT_EQ(split("for x in [0, 16) {\n"
                  "  P[y, x] = (A[y, x] + select((x > 0), P[y, select((x == 0), 0, (x - 1))],"
                  " 0.0f32))\n}\n"),
            "for x in [0, 1) {\n"
            "  P[y, x] = (A[y, x] + 0.0f32)\n"
            "}\n"
            "for x in [1, 16) {\n"
            "  P[y, x] = (A[y, x] + P[y, (x - 1)])\n"
            "}\n");
}

TEST(SplitSelects, AnEquationHoldsOnceOrNever) {
  EXPECT_EQ(split("for x in [0, 16) vectorized {\n"
                  "  P[y, x] = select((x == 3), A[y, x], 0.0f32)\n}\n"),
            "for x in [0, 3) {\n"
            "  P[y, x] = 0.0f32\n"
            "}\n"
            "for x in [3, 4) {\n"
            "  P[y, x] = A[y, x]\n"
            "}\n"
            "for x in [4, 16) vectorized {\n"
            "  P[y, x] = 0.0f32\n"
            "}\n");
  for (const char* never : {"((x * 2) == 5)", "(x == 16)", "(x == -1)"}) {
    EXPECT_EQ(split("for x in [0, 16) vectorized {\n  P[y, x] = select(" + std::string(never) +
                    ", A[y, x], 0.0f32)\n}\n"),
              "for x in [0, 16) vectorized {\n  P[y, x] = 0.0f32\n}\n")
        << never;
  }
}

TEST(SplitSelects, CutsWhereAnIndexBeginsAgain) {
  ir::Scope scope;
  scope.buffers["P"] = ir::make_buffer("P", DType::Float32, {100});
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {40});
  const auto cut = [&](const std::string& index) {
    return ir::to_string(split_selects(
        ir::parse_stmt("for x in [0, 100) vectorized { P[x] = A[" + index + "] }", scope)));
  };
  EXPECT_EQ(cut("((x + 10) % 40)"),
            "for x in [0, 30) vectorized {\n"
            "  P[x] = A[(x + 10)]\n"
            "}\n"
            "for x in [30, 70) vectorized {\n"
            "  P[x] = A[(x + -30)]\n"
            "}\n"
            "for x in [70, 100) vectorized {\n"
            "  P[x] = A[(x + -70)]\n"
            "}\n");
  EXPECT_EQ(cut("((x - 5) // 50)"),
            "for x in [0, 5) vectorized {\n"
            "  P[x] = A[-1]\n"
            "}\n"
            "for x in [5, 55) vectorized {\n"
            "  P[x] = A[0]\n"
            "}\n"
            "for x in [55, 100) vectorized {\n"
            "  P[x] = A[1]\n"
            "}\n");
  EXPECT_EQ(cut("((x * 2) % 40)"),
            "for x in [0, 20) vectorized {\n"
            "  P[x] = A[(x * 2)]\n"
            "}\n"
            "for x in [20, 40) vectorized {\n"
            "  P[x] = A[((x * 2) + -40)]\n"
            "}\n"
            "for x in [40, 60) vectorized {\n"
            "  P[x] = A[((x * 2) + -80)]\n"
            "}\n"
            "for x in [60, 80) vectorized {\n"
            "  P[x] = A[((x * 2) + -120)]\n"
            "}\n"
            "for x in [80, 100) vectorized {\n"
            "  P[x] = A[((x * 2) + -160)]\n"
            "}\n");
  EXPECT_EQ(cut("(x % 8)"), "for x in [0, 100) vectorized {\n  P[x] = A[(x % 8)]\n}\n");
}

TEST(SplitSelects, KeepsWhatItDoesNotDecide) {
  for (const char* text :
       {"for x in [0, 16) { P[y, x] = select((x < 15), A[y, x], 0.0f32) }",
        "for x in [0, n) vectorized { P[y, x] = select((x < 15), A[y, x], 0.0f32) }",
        "for x in [0, 16) vectorized { P[y, x] = select((x < n), A[y, x], 0.0f32) }",
        "for x in [0, 16) vectorized { P[y, x] = select((x == n), A[y, x], 0.0f32) }",
        "for x in [0, 16) vectorized { P[y, x] = A[y, ((x + n) % 16)] }",
        "for x in [0, 16) vectorized { P[y, x] = select(((x < 3) or (x < 5)), A[y, x], 0.0f32) }",
        "for x in [0, 16) vectorized { P[y, x] = select((N[y] < 3), A[y, x], 0.0f32) }",
        "for x in [0, 16) vectorized { P[y, x] = (select((y < 3), A[y, x], 0.0f32) + 1.0f32) }",
        "for x in [0, 16) vectorized { P[y, x] = A[y, x] }",
        // Digits of one number.
        "for x in [0, 64) vectorized { P[(x // 16), (x % 16)] = A[(x // 16), (x % 16)] }"}) {
    const ir::Stmt s = parsed(text);
    EXPECT_TRUE(split_selects(s).same_as(s)) << text;
  }
}

}  // namespace
}  // namespace solway::lowering
