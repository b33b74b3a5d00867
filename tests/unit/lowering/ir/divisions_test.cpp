#include "lowering/ir/divisions.h"

#include <random>

#include <gtest/gtest.h>

#include "lowering/ir/fold.h"
#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::ir {
namespace {

const Scope kScope{{}, {{"f", kInt64}, {"o", kInt64}, {"i", kInt64}, {"n", kInt64}}};

Expr parsed(const std::string& text) { return parse_expr(text, kScope); }
std::string simplified(const std::string& text) {
  return to_string(simplify_divisions(parsed(text)));
}

std::int64_t value_of(const Expr& e, std::int64_t o, std::int64_t i) {
  return *try_constant(simplify(substitute(e, {{"o", index(o)}, {"i", index(i)}})));
}

TEST(SimplifyDivisions, AsDocumented) {
  EXPECT_EQ(simplified("(f - (((f * 119) + 119) // 120))"), "(f // 120)");
  EXPECT_EQ(simplified("((f // 10) - ((f // 120) * 12))"), "((f // 10) % 12)");
}

TEST(SimplifyDivisions, LoopsThatWereFusedAndSplit) {
  const std::string quotient = "((((o * 104) + (i * 119)) + 119) // 120)";
  EXPECT_EQ(simplified("((o + i) - " + quotient + ")"), "(((o * 16) + i) // 120)");
  EXPECT_EQ(simplified("((((" + quotient +
                       " * 12) - (o * 10)) - (i * 11)) - "
                       "((((o * 4) + (i * 9)) + 9) // 10))"),
            "((((o * 16) + i) // 10) % 12)");
  EXPECT_EQ(simplified("(9 - ((((o * 4) + (i * 9)) + 9) % 10))"), "(((o * 6) + i) % 10)");
}

TEST(SimplifyDivisions, WhatTheDivisorSharesWithTheDividend) {
  EXPECT_EQ(simplified("(((f * 4) + 6) // 8)"), "((f + 1) // 2)");
  EXPECT_EQ(simplified("(((f * 8) + 5) % 4)"), "1");
  EXPECT_EQ(simplified("(((f * 32) + 17) // 16)"), "((f * 2) + 1)");
}

TEST(SimplifyDivisions, KeepsByIdentityWhatIsShort) {
  for (const char* const text :
       {"((f * 16) + i)", "(f // 12)", "(((o * 20) + i) // 32)", "((n - (i * 2)) // 32)",
        "min((f // 2), ((f + n) - 1))", "((f // n) - f)"}) {
    const Expr e = parsed(text);
    EXPECT_TRUE(simplify_divisions(e).same_as(e)) << text;
  }
}

TEST(SimplifyDivisions, InsideConditionsAndChoices) {
  EXPECT_EQ(simplified("((f - (((f * 119) + 119) // 120)) < n)"), "((f // 120) < n)");
}

/// A random sum of o, i, and quotients and remainders of such sums.
Expr random_sum(std::mt19937& rng, int depth) {
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(rng);
  };
  Expr out = index(number(-12, 12));
  for (int terms = 0; terms < 3; ++terms) {
    Expr one = number(0, 1) == 0 ? Var::make("o") : Var::make("i");
    if (depth > 0 && number(0, 2) > 0) {
      const BinaryOp op = number(0, 2) > 0 ? BinaryOp::FloorDiv : BinaryOp::Mod;
      one = Binary::make(op, random_sum(rng, depth - 1), index(number(2, 12)));
    }
    out =
        Binary::make(BinaryOp::Add, out, Binary::make(BinaryOp::Mul, one, index(number(-12, 12))));
  }
  return out;
}

TEST(SimplifyDivisions, ValuesStay) {
  std::mt19937 rng(20261122);
  int changed = 0;
  for (int k = 0; k < 150; ++k) {
    const Expr before = simplify(random_sum(rng, 2));
    const Expr after = simplify_divisions(before);
    changed += after.same_as(before) ? 0 : 1;
    for (std::int64_t o = -7; o < 8; o += 3) {
      for (std::int64_t i = -9; i < 10; i += 3) {
        ASSERT_EQ(value_of(after, o, i), value_of(before, o, i)) << to_string(before) << "\n"
                                                                 << to_string(after);
      }
    }
  }
  EXPECT_GT(changed, 50);
}

TEST(SimplifyDivisions, JoinedRemaindersKeepTheirValues) {
  for (std::int64_t d = 1; d < 7; ++d) {
    for (std::int64_t m = 2; m < 6; ++m) {
      for (std::int64_t split = 2; split < 17; split += 7) {
        const Expr f = add(mul(Var::make("o"), index(split)), Var::make("i"));
        const Expr inner = Binary::make(BinaryOp::FloorDiv, f, index(d));
        const Expr outer = Binary::make(BinaryOp::FloorDiv, f, index(d * m));
        const Expr before = sub(inner, mul(outer, index(m)));
        const Expr after = simplify_divisions(before);
        EXPECT_LT(to_string(after).size(), to_string(before).size());
        for (std::int64_t o = -5; o < 6; ++o) {
          for (std::int64_t i = -3; i < 9; ++i) {
            ASSERT_EQ(value_of(after, o, i), value_of(before, o, i)) << to_string(after);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace solway::ir
