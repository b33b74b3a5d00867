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

std::string peeled(const std::string& text) { return ir::to_string(peel_last_tile(parsed(text))); }

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
