#include "lowering/peel_tails.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {1024});
  scope.vars["n"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

std::string peeled(const std::string& text) { return ir::to_string(peel_tails(parsed(text))); }

TEST(PeelTails, CutsWhereATileEnds) {
  EXPECT_EQ(peeled("for io in [0, 43) {\n"
                   "  for ii in [0, min(6, (256 - (io * 6)))) unrolled {\n"
                   "    C[((io * 6) + ii)] = 0.0f32\n  }\n}\n"),
            "for io in [0, 42) {\n"
            "  for ii in [0, 6) unrolled {\n"
            "    C[((io * 6) + ii)] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for ii in [0, 4) unrolled {\n"
            "  C[(ii + 252)] = 0.0f32\n"
            "}\n");
}

/// Cores share a parallel loop out by its bounds, as another loop with these bounds.
TEST(PeelTails, CutsInsideOfAParallelLoop) {
  EXPECT_EQ(peeled("for io in [0, 43) parallel {\n"
                   "  for ii in [0, min(6, (256 - (io * 6)))) unrolled {\n"
                   "    C[((io * 6) + ii)] = 0.0f32\n  }\n}\n"),
            "for io in [0, 43) parallel {\n"
            "  if (io < 42) {\n"
            "    for ii in [0, 6) unrolled {\n"
            "      C[((io * 6) + ii)] = 0.0f32\n"
            "    }\n"
            "  } else {\n"
            "    for ii in [0, 4) unrolled {\n"
            "      C[(ii + 252)] = 0.0f32\n"
            "    }\n"
            "  }\n"
            "}\n");
}

/// 2 of m, 3 of y and 3 of x: more copies than are free, of few stores.
TEST(PeelTails, LoopsOfManyIterationsAreCutWhereCodeStaysSmall) {
  const auto text = [](const std::string& stores) {
    return peeled(
        "for m in [0, 11) {\n  for y in [0, 40) {\n    for x in [0, 28) {\n"
        "      for a in [0, min(6, (64 - (m * 6)))) unrolled {\n"
        "        for b in [max(0, (1 - (y * 2))), min(2, (79 - (y * 2)))) unrolled {\n"
        "          for i in [max(0, (1 - (x * 8))), min(8, (223 - (x * 8)))) vectorized {\n" +
        stores + "          }\n        }\n      }\n    }\n  }\n}\n");
  };
  EXPECT_EQ(text("            C[i] = 0.0f32\n").find("max("), std::string::npos);
  std::string many;
  for (int k = 0; k < 100; ++k) many += "            C[(i + " + std::to_string(k) + ")] = 0.0f32\n";
  EXPECT_NE(text(many).find("max("), std::string::npos);
}

TEST(PeelTails, CutsAtAConditionalCount) {
  EXPECT_EQ(peeled("for io in [0, 43) {\n"
                   "  for ii in [0, select((io == 42), 4, 6)) vectorized {\n"
                   "    C[ii] = 0.0f32\n  }\n}\n"),
            "for io in [0, 42) {\n"
            "  for ii in [0, 6) vectorized {\n"
            "    C[ii] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for ii in [0, 4) vectorized {\n"
            "  C[ii] = 0.0f32\n"
            "}\n");
}

TEST(PeelTails, CutsNestedLoops) {
  const std::string text = peeled(
      "for io in [0, 3) {\n"
      "  for jo in [0, 3) {\n"
      "    for ii in [0, min(4, (10 - (io * 4)))) unrolled {\n"
      "      for ji in [0, min(16, (40 - (jo * 16)))) vectorized {\n"
      "        C[((ii * 64) + ji)] = 0.0f32\n      }\n    }\n  }\n}\n");
  EXPECT_EQ(text.find("min"), std::string::npos) << text;
  for (const char* extent : {"ii in [0, 4)", "ii in [0, 2)", "ji in [0, 16)", "ji in [0, 8)"}) {
    EXPECT_NE(text.find(extent), std::string::npos) << text;
  }
}

TEST(PeelTails, CutsAnUnrolledLoopWhereAVectorInsideEnds) {
  EXPECT_EQ(peeled("for jo in [0, 2) unrolled {\n"
                   "  for ji in [0, min(16, (29 - (jo * 16)))) vectorized {\n"
                   "    C[((jo * 16) + ji)] = 0.0f32\n  }\n}\n"),
            "for ji in [0, 16) vectorized {\n"
            "  C[ji] = 0.0f32\n"
            "}\n"
            "for ji in [0, 13) vectorized {\n"
            "  C[(ji + 16)] = 0.0f32\n"
            "}\n");
  const ir::Stmt rows = parsed(
      "for io in [0, 3) unrolled {\n"
      "  for ii in [0, min(4, (10 - (io * 4)))) unrolled { C[((io * 4) + ii)] = 0.0f32 }\n"
      "}\n");
  EXPECT_TRUE(peel_tails(rows).same_as(rows));  // copies of it have constant bounds
}

/// The taps of a window at the border of an image, each of which has other pixels.
TEST(PeelTails, CutsALoopOfFewIterationsWhereBoundsAreOthers) {
  EXPECT_EQ(peeled("for r in [0, 3) {\n"
                   "  for k in [0, 16) {\n"
                   "    for y in [(1 - r), (14 - r)) unrolled {\n"
                   "      C[((y * 16) + k)] = 0.0f32\n    }\n  }\n}\n"),
            "for k in [0, 16) {\n"
            "  for y in [1, 14) unrolled {\n"
            "    C[((y * 16) + k)] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for k in [0, 16) {\n"
            "  for y in [0, 13) unrolled {\n"
            "    C[((y * 16) + k)] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for k in [0, 16) {\n"
            "  for y in [-1, 12) unrolled {\n"
            "    C[((y * 16) + k)] = 0.0f32\n"
            "  }\n"
            "}\n");
}

/// q // 2 - q + 1 is 1, 0, 0, and no other rule tells.
TEST(PeelTails, BoundsThatAreTheSameInSomeIterationsAreNumbersThere) {
  EXPECT_EQ(peeled("for q in [0, 3) {\n"
                   "  for x in [max((((q // 2) - q) + 1), 0), 4) unrolled {\n"
                   "    C[((x * 2) + q)] = 0.0f32\n  }\n}\n"),
            "for x in [1, 4) unrolled {\n"
            "  C[(x * 2)] = 0.0f32\n"
            "}\n"
            "for q in [1, 3) {\n"
            "  for x in [0, 4) unrolled {\n"
            "    C[((x * 2) + q)] = 0.0f32\n"
            "  }\n"
            "}\n");
}

/// Tiles of an image at its ends, and all between.
TEST(PeelTails, TilesThatALoopInsideCutsAreToldFromOthers) {
  const std::string text = peeled(
      "for xo in [0, 40) {\n"
      "  for q in [0, 3) {\n"
      "    for xi in [max(((1 - q) - (xo * 14)), 0), min((561 - (q + (xo * 14))), 14)) unrolled {\n"
      "      C[(((xo * 14) + xi) + q)] = 0.0f32\n    }\n  }\n}\n");
  EXPECT_EQ(text,
            "for xi in [1, 14) unrolled {\n"
            "  C[xi] = 0.0f32\n"
            "}\n"
            "for q in [1, 3) {\n"
            "  for xi in [0, 14) unrolled {\n"
            "    C[(xi + q)] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for xo in [1, 39) {\n"
            "  for q in [0, 3) {\n"
            "    for xi in [0, 14) unrolled {\n"
            "      C[(((xo * 14) + xi) + q)] = 0.0f32\n"
            "    }\n"
            "  }\n"
            "}\n"
            "for q in [0, 2) {\n"
            "  for xi in [0, 14) unrolled {\n"
            "    C[((xi + 546) + q)] = 0.0f32\n"
            "  }\n"
            "}\n"
            "for xi in [0, 13) unrolled {\n"
            "  C[(xi + 548)] = 0.0f32\n"
            "}\n");
}

TEST(PeelTails, StopsBeforeTheCodeGrowsTooFar) {
  std::string text = "C[0] = 0.0f32";
  for (const char* loop : {"a", "b", "c", "d", "e", "f"}) {
    const std::string v = loop;
    text = "for " + v + "o in [0, 3) { for " + v + "i in [0, min(4, (10 - (" + v +
           "o * 4)))) unrolled { " + text + " } }";
  }
  const std::string out = peeled(text);
  std::size_t copies = 0;
  for (auto at = out.find("C[0]"); at != std::string::npos; at = out.find("C[0]", at + 1)) ++copies;
  EXPECT_EQ(copies, 16U);
}

TEST(PeelTails, KeepsLoopsThatStayLoops) {
  for (const char* text :
       {"for io in [0, 43) { for ii in [0, min(6, (256 - (io * 6)))) { C[ii] = 0.0f32 } }",
        "for io in [0, n) { for ii in [0, min(6, (256 - (io * 6)))) unrolled { C[ii] = 0.0f32 } }",
        "for io in [0, 8) { for ii in [0, min(6, (n - (io * 6)))) unrolled { C[ii] = 0.0f32 } }",
        "for io in [0, 8) { for ii in [0, 6) unrolled { C[min(ii, io)] = 0.0f32 } }"}) {
    const ir::Stmt s = parsed(text);
    EXPECT_TRUE(peel_tails(s).same_as(s)) << text;
  }
}

TEST(PeelTails, KeepsLoopsThatChangeTooOften) {
  const ir::Stmt s = parsed(
      "for io in [0, 9) {\n"
      "  for ii in [0, min(io, 7)) unrolled { C[ii] = 0.0f32 }\n"
      "  for ii in [0, min(io, 5)) unrolled { C[ii] = 0.0f32 }\n"
      "  for ii in [0, min(io, 2)) unrolled { C[ii] = 0.0f32 }\n"
      "}\n");
  EXPECT_TRUE(peel_tails(s).same_as(s));
}

/// An image with a border of one, whose tiles are 2 x 1 pixels: whole tiles have no condition.
TEST(PeelTails, CutsWhereATileTakesAnotherSideOfASelect) {
  EXPECT_EQ(peeled("for yo in [0, 7) {\n"
                   "  for yi in [0, 2) unrolled {\n"
                   "    C[((yo * 2) + yi)] = select(((1 <= ((yo * 2) + yi)) and "
                   "(((yo * 2) + yi) < 13)), C[(((yo * 2) + yi) + -1)], 0.0f32)\n  }\n}\n"),
            "for yi in [0, 2) unrolled {\n"
            "  C[yi] = select((1 <= yi), C[(yi + -1)], 0.0f32)\n"
            "}\n"
            "for yo in [1, 6) {\n"
            "  for yi in [0, 2) unrolled {\n"
            "    C[((yo * 2) + yi)] = C[(((yo * 2) + yi) + -1)]\n"
            "  }\n"
            "}\n"
            "for yi in [0, 2) unrolled {\n"
            "  C[(yi + 12)] = select(((yi + 12) < 13), C[(yi + 11)], 0.0f32)\n"
            "}\n");
}

/// Each comparison turns between two numbers, also of a variable that counts against it.
TEST(PeelTails, CutsSelectsOfEachComparisonAtTheNumberWhereItTurns) {
  const auto first_of_last = [](const std::string& comparison) {
    const std::string out =
        peeled("for io in [0, 20) { for ii in [0, 4) unrolled { C[ii] = select((" + comparison +
               "), 1.0f32, 2.0f32) } }");
    return out.substr(0, out.find(" {"));
  };
  EXPECT_EQ(first_of_last("(io + 0) >= 7"), "for io in [0, 7)");
  EXPECT_EQ(first_of_last("(io + 0) > 7"), "for io in [0, 8)");
  EXPECT_EQ(first_of_last("(io + 0) < 7"), "for io in [0, 7)");
  EXPECT_EQ(first_of_last("(io + 0) <= 7"), "for io in [0, 8)");
  EXPECT_EQ(first_of_last("7 >= io"), "for io in [0, 8)");
  EXPECT_EQ(first_of_last("7 > io"), "for io in [0, 7)");
  EXPECT_EQ(first_of_last("7 == io"), "for io in [0, 7)");
  EXPECT_EQ(first_of_last("((io * 4) + ii) >= 29"), "for io in [0, 7)");
  EXPECT_EQ(first_of_last("(io * 4) < 29"), "for io in [0, 8)");
}

/// A select that a vectorized loop decides together with a loop of few iterations.
std::string window(const std::string& taps) {
  return "for q in [0, " + taps + ") { for x in [0, 16) vectorized { C[x] = (C[x] + select((2 <= " +
         "(x + q)), C[((x + q) + 30)], 0.0f32)) } }";
}

TEST(PeelTails, WritesOutIterationsWithWhichLanesDecide) {
  EXPECT_EQ(peeled(window("5")),
            "for x in [0, 16) vectorized {\n"
            "  C[x] = (C[x] + select((2 <= x), C[(x + 30)], 0.0f32))\n"
            "}\n"
            "for x in [0, 16) vectorized {\n"
            "  C[x] = (C[x] + select((2 <= (x + 1)), C[(x + 31)], 0.0f32))\n"
            "}\n"
            "for q in [2, 5) {\n"
            "  for x in [0, 16) vectorized {\n"
            "    C[x] = (C[x] + C[((x + q) + 30)])\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(peeled(window("40")).find("for q in [0, 2)"), std::string::npos);
}

/// What registers hold has one count of iterations in any case; a select may keep its condition.
TEST(PeelTails, SelectsThatTurnOftenKeepTheCutsOfBounds) {
  std::string value = "0.0f32";
  for (int k = 1; k < 9; ++k) {
    value = "select((((io * 6) + ii) < " + std::to_string(20 * k) + "), C[" + std::to_string(k) +
            "], " + value + ")";
  }
  const std::string out = peeled(
      "for io in [0, 43) { for ii in [0, min(6, (256 - (io * 6)))) "
      "unrolled { C[((io * 6) + ii)] = " +
      value + " } }");
  EXPECT_EQ(
      out.rfind(
          "for io in [0, 42) {\n  for ii in [0, 6) unrolled {\n    C[((io * 6) + ii)] = select(",
          0),
      0U)
      << out;
}

}  // namespace
}  // namespace solway::lowering
