#include "lowering/spread_lines.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

constexpr std::int64_t kLine = 64;  // 16 elements

ir::Stmt stmt(const std::string& text) {
  static const ir::Scope kScope{{{"X", ir::make_buffer("X", DType::Float32, {8, 64})},
                                 {"N", ir::make_buffer("N", DType::Int64, {64})},
                                 {"C", ir::make_buffer("C", DType::Float32, {64})}},
                                {{"n", ir::kInt64}}};
  return ir::parse_stmt(text, kScope);
}

LinesRequest request(std::int64_t distance = 1) { return {"X", {"x"}, distance, {}, {"f"}}; }

std::string spread(const std::string& text, const LinesRequest& asked = request()) {
  std::vector<std::string> why;
  std::string out = to_string(spread_lines(stmt(text), {asked}, kLine, why));
  EXPECT_EQ(why, std::vector<std::string>{""});
  return out;
}

std::string why_nothing(const std::string& text, const LinesRequest& asked = request()) {
  std::vector<std::string> why;
  const ir::Stmt s = stmt(text);
  EXPECT_TRUE(spread_lines(s, {asked}, kLine, why).same_as(s));
  return why.at(0);
}

TEST(SpreadLines, EachTurnAsksForAnEqualShare) {
  EXPECT_EQ(spread("for x in [0, n) { for k in [0, 64) { C[k] = X[x, k] } "
                   "for f in [0, 2) { C[f] = 0.0f32 } }"),
            "for x in [0, n) {\n  for k in [0, 64) {\n    C[k] = X[x, k]\n  }\n"
            "  for f in [0, 2) {\n    prefetch X[0, (((x + 1) * 64) + (f * 32))]\n"
            "    prefetch X[0, (((x + 1) * 64) + (((f * 2) + 1) * 16))]\n"
            "    C[f] = 0.0f32\n  }\n}\n");
}

TEST(SpreadLines, PastTheEndTheLoopAroundGoesOn) {
  const std::string text = spread(
      "for y in [0, 4) { for x in [0, 2) { for f in [0, 4) { C[f] = X[((y * 2) + x), (f * 16)] } } "
      "}");
  EXPECT_NE(text.find("prefetch X"), std::string::npos);
  EXPECT_NE(text.find("((x + 1) % 2)"), std::string::npos) << text;
  EXPECT_NE(text.find("((x + 1) // 2)"), std::string::npos) << text;
}

TEST(SpreadLines, FewerLinesThanTurnsAreEvenlySpread) {
  const std::string text = spread("for x in [0, n) { for f in [0, 64) { C[f] = X[x, f] } }");
  EXPECT_NE(text.find("((f * 4) // 64)"), std::string::npos) << text;
}

TEST(SpreadLines, ACopyOfTheNestThatLacksALoopAsksForNothing) {
  const LinesRequest asked{"X", {"x"}, 1, {}, {"k"}};
  const std::string text = spread(
      "for x in [0, n) { for f in [0, 2) { for k in [0, 4) { C[k] = X[x, ((f * 4) + k)] } } "
      "for k in [0, 4) { C[k] = X[x, (k + 60)] } }",
      asked);
  const std::size_t rest = text.rfind("for k in");
  EXPECT_NE(text.find("prefetch"), std::string::npos) << text;
  EXPECT_EQ(text.find("prefetch", rest), std::string::npos) << text;
}

TEST(SpreadLines, SaysWhyNot) {
  EXPECT_EQ(why_nothing("for x in [0, n) { for f in [0, n) { C[f] = X[x, f] } }"),
            "no loop of constant extent to spread them over runs in 'x'");
  EXPECT_EQ(why_nothing("for x in [0, n) { for f in [0, 4) { C[f] = X[0, f] } }"),
            "nothing that 'x' moves is read of it there");
  EXPECT_EQ(why_nothing("for x in [0, n) { for f in [0, 4) { C[f] = X[x, N[f]] } }"),
            "where it reads depends on data");
  EXPECT_EQ(why_nothing("for x in [0, n) { for f in [0, 4) { C[f] = X[x, (f // 2)] } }"),
            "the place of what 'f' reads is not affine");
  EXPECT_EQ(why_nothing("for x in [0, n) { for k in [0, n) { C[k] = X[x, k] } "
                        "for f in [0, 4) { C[f] = 0.0f32 } }"),
            "'k' has no constant extent");
  EXPECT_EQ(why_nothing("for k in [0, n) { for f in [0, 4) { C[f] = X[k, f] } }"),
            "no such loop is left in the code");
}

}  // namespace
}  // namespace solway::lowering
