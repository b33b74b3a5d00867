#include "lowering/peel_last_tile.h"

#include <string>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {1024});
  scope.buffers["N"] = ir::make_buffer("N", DType::Int64, {4});
  scope.vars["n"] = ir::kInt64;
  scope.vars["m"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

std::string peeled(const std::string& text, std::int64_t least_lanes = 0) {
  return ir::to_string(peel_last_tile(parsed(text), least_lanes));
}

TEST(PeelLastTile, AllOthersAreWhole) {
  EXPECT_EQ(peeled("for o in [0, (((n + -1) // 4) + 1)) {\n"
                   "  for i in [0, min((n - (o * 4)), 4)) vectorized {\n"
                   "    C[((o * 4) + i)] = 0.0f32\n  }\n}\n"),
            "for o in [0, min((n // 4), (((n + -1) // 4) + 1))) {\n"
            "  for i in [0, 4) vectorized {\n"
            "    C[((o * 4) + i)] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for o in [max((n // 4), 0), (((n + -1) // 4) + 1)) {\n"
            "  for i in [0, min((n - (o * 4)), 4)) vectorized {\n"
            "    C[((o * 4) + i)] = 0.0f32\n"
            "  }\n"
            "}\n");
}

/// Cores share it out by its bounds.
TEST(PeelLastTile, AParallelLoopHasAConditionInside) {
  EXPECT_EQ(peeled("for o in [0, (((n + -1) // 4) + 1)) parallel {\n"
                   "  for i in [0, min(4, (n - (o * 4)))) unrolled {\n"
                   "    C[((o * 4) + i)] = 0.0f32\n  }\n}\n"),
            "for o in [0, (((n + -1) // 4) + 1)) parallel {\n"
            "  if (o < (n // 4)) {\n"
            "    for i in [0, 4) unrolled {\n"
            "      C[((o * 4) + i)] = 0.0f32\n"
            "    }\n"
            "  } else {\n"
            "    for i in [0, min(4, (n - (o * 4)))) unrolled {\n"
            "      C[((o * 4) + i)] = 0.0f32\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(PeelLastTile, TilesOfTwoLoopsAreWholeInBoth) {
  const std::string text = peeled(
      "for y in [0, (((m + -1) // 2) + 1)) {\n"
      "  for x in [0, (((n + -1) // 4) + 1)) {\n"
      "    for i in [0, min((m - (y * 2)), 2)) unrolled {\n"
      "      for j in [0, min((n - (x * 4)), 4)) vectorized {\n"
      "        C[((y * 2) + i)] = 0.0f32\n      }\n    }\n  }\n}\n");
  EXPECT_NE(text.find("    for i in [0, 2) unrolled {\n"
                      "      for j in [0, 4) vectorized {\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("for i in [0, 2) unrolled {\n"
                      "      for j in [0, min((n - (x * 4)), 4)) vectorized {\n"),
            std::string::npos)
      << text;
}

/// Rows of tiles that do not divide a block are peel_tails' part in whole blocks.
TEST(PeelLastTile, BlocksWhoseTilesAreLimitedTwice) {
  const std::string text = peeled(
      "for b in [0, (((n + -1) // 32) + 1)) {\n"
      "  for o in [0, min((((b * -3) + (((n + b) + -1) // 11)) + 1), 3)) {\n"
      "    for i in [0, min(min(((n - (b * 32)) - (o * 11)), 11), ((o * -11) + 32))) unrolled {\n"
      "      C[(((b * 32) + (o * 11)) + i)] = 0.0f32\n    }\n  }\n"
      "  for o in [0, min((((b * -4) + ((n + -1) // 8)) + 1), 4)) {\n"
      "    for i in [0, min(((n - (b * 32)) - (o * 8)), 8)) unrolled {\n"
      "      C[(((b * 32) + (o * 8)) + i)] = 0.0f32\n    }\n  }\n}\n");
  EXPECT_EQ(text.substr(0, text.find("for b in [max(")),
            "for b in [0, min((n // 32), (((n + -1) // 32) + 1))) {\n"
            "  for o in [0, 3) {\n"
            "    for i in [0, min(((o * -11) + 32), 11)) unrolled {\n"
            "      C[(((b * 32) + (o * 11)) + i)] = 0.0f32\n    }\n  }\n"
            "  for o in [0, 4) {\n"
            "    for i in [0, 8) unrolled {\n"
            "      C[(((b * 32) + (o * 8)) + i)] = 0.0f32\n    }\n  }\n}\n")
      << text;
  // What is left of a block has whole tiles too.
  EXPECT_NE(text.find("for o in [0, min((((b * -32) + n) // 8), "), std::string::npos) << text;
  EXPECT_NE(text.find("min((((b * -3) + (((n + b) + -1) // 11)) + 1), 3))) {\n"
                      "    for i in [0, 11) unrolled {\n"),
            std::string::npos)
      << text;
}

/// By how much is left, where rows stand beside lanes and these are at least as many.
TEST(PeelLastTile, LastTilesMayBeNarrow) {
  const std::string rows =
      "for o in [0, (((n + -1) // 24) + 1)) { for r in [0, 2) unrolled { for i in [0, min((n - (o "
      "* 24)), 24)) vectorized { C[(((o * 24) + i) + r)] = 0.0f32 } } }";
  const std::string text = peeled(rows, 6);
  EXPECT_NE(text.find("for o in [max((n // 24), 0), (((n + -1) // 24) + 1)) {\n"
                      "  if ((n - (o * 24)) <= 12) {\n"
                      "    if ((n - (o * 24)) <= 6) {\n"
                      "      for r in [0, 2) unrolled {\n"
                      "        for i in [0, min((n - (o * 24)), 6)) vectorized {\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("for i in [0, min((n - (o * 24)), 12)) vectorized {\n"), std::string::npos);
  EXPECT_NE(text.find("for i in [0, min((n - (o * 24)), 24)) vectorized {\n"), std::string::npos);
  EXPECT_EQ(peeled(rows, 16), peeled(rows));
  // What an inner loop moves is not known outside of it.
  const std::string inside =
      "for b in [0, (((n + -1) // 48) + 1)) { for o in [0, 2) { for r in [0, 2) unrolled { for i "
      "in [0, min(min(((n - (b * 48)) - (o * 24)), 24), (30 - (o * 24)))) vectorized { C[i] = "
      "0.0f32 } } } }";
  EXPECT_EQ(peeled(inside, 6).find("if (((n - (b * 48)) - (o * 24)) <= 12) {\n  for o"),
            std::string::npos);
  const std::string alone =
      "for o in [0, (((n + -1) // 24) + 1)) { for i in [0, min((n - (o * 24)), 24)) vectorized { "
      "C[((o * 24) + i)] = 0.0f32 } }";
  EXPECT_EQ(peeled(alone, 6), peeled(alone));
}

TEST(PeelLastTile, OtherLoopsStay) {
  for (const char* const text : {
           // a loop inside, which decides too
           "for o in [0, 8) { for k in [0, 9) { for i in [0, min((k - (o * 4)), 4)) vectorized { "
           "C[i] = 0.0f32 } } }",
           // memory, which may change
           "for o in [0, 8) { for i in [0, min((N[0] - (o * 4)), 4)) vectorized { C[i] = 0.0f32 } "
           "}",
           // constants, which peel_tails cuts
           "for o in [0, 8) { for i in [0, min((30 - (o * 4)), 4)) vectorized { C[i] = 0.0f32 } }",
           // a larger one in each iteration
           "for o in [0, 8) { for i in [0, min((n + (o * 4)), 4)) vectorized { C[i] = 0.0f32 } }",
           // a loop that stays one
           "for o in [0, 8) { for i in [0, min((n - (o * 4)), 4)) { C[i] = 0.0f32 } }",
       }) {
    const ir::Stmt s = parsed(text);
    EXPECT_TRUE(peel_last_tile(s).same_as(s)) << text;
  }
}

TEST(PeelLastTile, CopiesAreFew) {
  std::string text =
      "for o in [0, 8) { for i in [0, min((n - (o * 4)), 4)) vectorized { C[i] = 0.0f32 } }";
  for (int k = 0; k < 6; ++k) {
    const std::string v = "a" + std::to_string(k);
    text = "for " + v + " in [0, 8) { for v" + v + " in [0, min((m - (" + v +
           " * 4)), 4)) unrolled { " + text + " } }";
  }
  const std::string out = peeled(text);
  std::size_t copies = 0;
  for (auto at = out.find("C[i]"); at != std::string::npos; at = out.find("C[i]", at + 1)) ++copies;
  EXPECT_EQ(copies, 16U);
}

}  // namespace
}  // namespace solway::lowering
