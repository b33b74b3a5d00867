#include "codegen/athread/detail/vector_lines.h"

#include <gtest/gtest.h>

namespace solway::codegen {
namespace {

VectorLine sets(const std::string& name, const std::string& value) {
  return {{}, name + " = " + value + ";", name};
}

VectorLine exp_of(const std::string& name) { return {{}, "", name, UnaryOp::Exp}; }

VectorLine store(const std::string& text) { return {{}, text, "", {}, /*is_effect=*/true}; }

std::string in_turns(const std::vector<VectorLine>& lines) {
  std::string out;
  for (const VectorLine& line : take_turns(lines)) out += line.text + "\n";
  return out;
}

TEST(TakeTurns, AsDocumented) {
  EXPECT_EQ(
      in_turns({sets("v2", "simd_vsubs(v0, m)"), exp_of("v2"), store("simd_store(v2, &E[0]);"),
                sets("v3", "simd_vsubs(v1, m)"), exp_of("v3"), store("simd_store(v3, &E[4]);")}),
      "v2 = simd_vsubs(v0, m);\n"
      "v3 = simd_vsubs(v1, m);\n"
      "exp_of_2(&v2, &v3);\n"
      "simd_store(v2, &E[0]);\n"
      "simd_store(v3, &E[4]);\n");
}

TEST(TakeTurns, OneValueKeepsItsOrder) {
  EXPECT_EQ(in_turns({sets("v1", "v0"), exp_of("v1"), sets("v2", "f(v1)"), store("store(v2);")}),
            "v1 = v0;\nexp_of_1(&v1);\nv2 = f(v1);\nstore(v2);\n");
}

TEST(TakeTurns, AtMostFourVectorsMakeACall) {
  std::vector<VectorLine> lines;
  for (int k = 0; k < 6; ++k) lines.push_back(exp_of("v" + std::to_string(k)));
  EXPECT_EQ(in_turns(lines), "exp_of_4(&v0, &v1, &v2, &v3);\nexp_of_2(&v4, &v5);\n");
}

TEST(TakeTurns, OfOneVectorTheCallsFollowEachOther) {
  EXPECT_EQ(in_turns({exp_of("v0"), exp_of("v0")}), "exp_of_1(&v0);\nexp_of_1(&v0);\n");
}

TEST(TakeTurns, AVariableThatIsSetAnewWaitsForItsReaders) {
  EXPECT_EQ(in_turns({sets("a", "f(x)"), sets("b", "g(a)"), sets("c", "h(b)"), sets("a", "x"),
                      sets("d", "a")}),
            "a = f(x);\nb = g(a);\nc = h(b);\na = x;\nd = a;\n");
}

TEST(TakeTurns, EffectsKeepTheirOrder) {
  EXPECT_EQ(in_turns({sets("a", "f(x)"), store("store(a, p);"), store("store(y, p);")}),
            "a = f(x);\nstore(a, p);\nstore(y, p);\n");
}

TEST(TakeTurns, NamesAreWholeWords) {
  // v1 is no part of v10.
  EXPECT_EQ(in_turns({sets("v1", "f(x)"), sets("v2", "g(v10)"), sets("v3", "h(v1)")}),
            "v1 = f(x);\nv2 = g(v10);\nv3 = h(v1);\n");
}

TEST(TakeTurns, NothingStaysNothing) { EXPECT_EQ(in_turns({}), ""); }

}  // namespace
}  // namespace solway::codegen
