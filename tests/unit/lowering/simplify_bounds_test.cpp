#include "lowering/simplify_bounds.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt stmt(const std::string& text) {
  static const ir::Scope kScope{{{"C", ir::make_buffer("C", DType::Float32, {64})}},
                                {{"n", ir::kInt64}}};
  return ir::parse_stmt(text, kScope);
}

std::string simplified(const std::string& text) { return to_string(simplify_bounds(stmt(text))); }

TEST(SimplifyBounds, AsDocumented) {
  EXPECT_EQ(simplified("for io in [0, 4) { for ii in [0, min(8, (32 - (io * 8)))) { "
                       "if (((io * 8) + ii) < 32) { C[(((io * 8) + ii) % 8)] = 0.0f32 } } }"),
            to_string(stmt("for io in [0, 4) { for ii in [0, 8) { C[ii] = 0.0f32 } }")));
}

TEST(SimplifyBounds, KeepsAPartialTile) {
  const ir::Stmt s = stmt(
      "for io in [0, 4) { for ii in [0, min(((io * -8) + 30), 8)) { C[((io * 8) + ii)] = 0.0f32 } "
      "}");
  EXPECT_TRUE(simplify_bounds(s).same_as(s));
}

TEST(SimplifyBounds, DividesWhatTheRangesSeparate) {
  EXPECT_EQ(simplified("for i in [0, 4) { for j in [0, 8) { C[(((i * 8) + j) // 8)] = 0.0f32 } }"),
            to_string(stmt("for i in [0, 4) { for j in [0, 8) { C[i] = 0.0f32 } }")));
  const ir::Stmt s =
      stmt("for i in [0, 4) { for j in [0, 9) { C[(((i * 8) + j) // 8)] = 0.0f32 } }");
  EXPECT_TRUE(simplify_bounds(s).same_as(s));
}

TEST(SimplifyBounds, DividesWholeTilesByHowManyAreCounted) {
  EXPECT_EQ(
      simplified("for i in [0, 4) { for j in [0, 14) { C[(((i * 14) + j) // 28)] = 0.0f32 } }"),
      to_string(stmt("for i in [0, 4) { for j in [0, 14) { C[(i // 2)] = 0.0f32 } }")));
  EXPECT_EQ(
      simplified("for i in [0, 4) { for j in [2, 8) { C[(((i * 6) + j) // 18)] = 0.0f32 } }"),
      "for i in [0, 4) {\n  for j in [2, 8) {\n    C[(((i * 6) + j) // 18)] = 0.0f32\n  }\n}\n");
  // Of a tile that is divided again the whole tile counts, and its parity is a remainder.
  const std::string head = "for i in [0, 8) { for j in [0, 32) { for k in [0, 4) { C[";
  const std::string tail = "] = 0.0f32 } } }";
  EXPECT_EQ(simplified(head + "(i - (((((i * 128) + (j * 4)) + k) // 256) * 2))" + tail),
            to_string(stmt(head + "(i % 2)" + tail)));
  EXPECT_EQ(
      simplified("for i in [0, 4) { for j in [0, 14) { C[(((i * 14) + j) % 28)] = 0.0f32 } }"),
      to_string(stmt("for i in [0, 4) { for j in [0, 14) { C[(((i % 2) * 14) + j)] = 0.0f32 } }")));
  for (const std::string index : {"(((i * 14) + j) // 35)", "(((i * 14) + j) % 35)"}) {
    const ir::Stmt s = stmt("for i in [0, 4) { for j in [0, 14) { C[" + index + "] = 0.0f32 } }");
    EXPECT_TRUE(simplify_bounds(s).same_as(s)) << index;
  }
}

TEST(SimplifyBounds, KeepsAConditionThatTheLastIterationBreaks) {
  for (const std::string condition : {"(i < 4)", "(i != 4)", "(i >= 1)", "(i > 0)"}) {
    const ir::Stmt s = stmt("for i in [0, 5) { if " + condition + " { C[i] = 0.0f32 } }");
    EXPECT_TRUE(simplify_bounds(s).same_as(s)) << condition;
  }
  EXPECT_EQ(simplified("for i in [0, 5) { if (i <= 4) { C[i] = 0.0f32 } }"),
            to_string(stmt("for i in [0, 5) { C[i] = 0.0f32 }")));
}

TEST(SimplifyBounds, RemovesALoopThatNeverRuns) {
  EXPECT_EQ(simplified("for i in [0, 4) { if (i >= 4) { C[i] = 0.0f32 } }"), "");
}

TEST(SimplifyBounds, KnowsNothingOfUnknownVariables) {
  const ir::Stmt s = stmt("for i in [0, min(n, 8)) { if ((n + 1) > n) { C[i] = 0.0f32 } }");
  EXPECT_TRUE(simplify_bounds(s).same_as(s));
}

}  // namespace
}  // namespace solway::lowering
