#include "codegen/athread/detail/vector_lines.h"

#include <algorithm>

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

VectorLine load(const std::string& name) { return {{}, "simd_loadu(" + name + ", p);", name}; }

/// Loads of v0, v1, ..., each added to `a` by a line of its own.
std::vector<std::string> summed(int count) {
  std::vector<VectorLine> loads;
  std::vector<VectorLine> lines;
  for (int k = 0; k < count; ++k) {
    const std::string name = "v" + std::to_string(k);
    loads.push_back(load(name));
    lines.push_back(sets("a", "a + " + name));
  }
  std::vector<std::string> out;
  for (const VectorLine& line : with_loads(loads, lines)) out.push_back(line.text);
  return out;
}

TEST(WithLoads, AFewStandBeforeAll) {
  const std::vector<std::string> lines = summed(10);
  ASSERT_EQ(lines.size(), 20U);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(lines[k].substr(0, 10), "simd_loadu");
}

TEST(WithLoads, OfManyEachStandsAFewLinesAhead) {
  const std::vector<std::string> lines = summed(11);
  ASSERT_EQ(lines.size(), 22U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(lines[k], "simd_loadu(v" + std::to_string(k) + ", p);");
  }
  EXPECT_EQ(lines[5], "a = a + v0;");
  EXPECT_EQ(lines[6], "simd_loadu(v5, p);");
  EXPECT_EQ(lines[7], "a = a + v1;");
  EXPECT_EQ(lines.back(), "a = a + v10;");
}

TEST(WithLoads, SoDoFewWhereThatIsAskedFor) {
  std::vector<VectorLine> loads;
  std::vector<VectorLine> lines;
  for (int k = 0; k < 6; ++k) {
    loads.push_back(load("v" + std::to_string(k)));
    lines.push_back(sets("a", "a + v" + std::to_string(k)));
  }
  std::vector<std::string> texts;
  for (const VectorLine& line : with_loads(loads, lines, LoadPlace::Ahead)) {
    texts.push_back(line.text);
  }
  EXPECT_EQ(texts[5], "a = a + v0;");
  EXPECT_EQ(texts[6], "simd_loadu(v5, p);");
}

TEST(WithLoads, WhatALoadNeedsStandsBeforeIt) {
  std::vector<VectorLine> loads = {sets("x", "A[0]")};
  std::vector<VectorLine> lines;
  for (int k = 0; k < 11; ++k) {
    loads.push_back(load("v" + std::to_string(k)));
    lines.push_back(sets("a", "a + v" + std::to_string(k)));
  }
  loads.push_back(sets("s", "spread(x)"));  // used where v5 is
  lines[5].text = "a = s + v5;";
  lines.push_back(sets("b", "x"));  // a later use of x
  std::vector<std::string> texts;
  for (const VectorLine& line : with_loads(loads, lines)) texts.push_back(line.text);
  const auto at = [&](const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) - texts.begin();
  };
  EXPECT_LT(at("x = A[0];"), at("s = spread(x);"));
  EXPECT_LT(at("s = spread(x);"), at("a = s + v5;"));
}

TEST(TakeTurns, NothingStaysNothing) { EXPECT_EQ(in_turns({}), ""); }

}  // namespace
}  // namespace solway::codegen
