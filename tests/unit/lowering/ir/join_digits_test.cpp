#include "lowering/ir/join_digits.h"

#include <gtest/gtest.h>

#include "lowering/ir/fold.h"
#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::ir {
namespace {

Expr expr(const std::string& text) {
  return parse_expr(text, {{}, {{"f", kInt64}, {"i", kInt64}}});
}

std::string joined(const std::string& text) { return to_string(join_digits(expr(text))); }

TEST(JoinDigits, OfTwoFusedLoops) {
  EXPECT_EQ(joined("(((f // 16) * 16) + (f % 16))"), "f");
  EXPECT_EQ(joined("((((f // 16) * 32) + ((f % 16) * 2)) + i)"), "((f * 2) + i)");
}

TEST(JoinDigits, OfThreeFusedLoopsInEachForm) {
  EXPECT_EQ(joined("((((f // 120) * 120) + (((f // 10) % 12) * 10)) + (f % 10))"), "f");
  EXPECT_EQ(joined("((((f // 120) * 120) + (((f % 120) // 10) * 10)) + (f % 10))"), "f");
}

TEST(JoinDigits, OfASumThatIsDivided) {
  EXPECT_EQ(joined("((((f + (i * 3)) // 8) * 8) + ((f + (i * 3)) % 8))"), "(f + (i * 3))");
}

TEST(JoinDigits, KeepsWhatDoesNotBelongTogether) {
  for (const char* const text :
       {"(((f // 16) * 17) + (f % 16))", "(((f // 16) * 16) + (i % 16))",
        "(((f // 8) * 16) + (f % 16))", "(((f // i) * i) + (f % i))", "(((f // 16) * 16) + i)"}) {
    const Expr e = expr(text);
    EXPECT_EQ(to_string(join_digits(e)), to_string(e)) << text;
  }
  const Expr e = expr("(((f // 16) * 17) + (f % 16))");
  EXPECT_TRUE(join_digits(e).same_as(e));
}

TEST(JoinDigits, IsExactForNegativeNumbersToo) {
  const Expr e = expr("((((f // 120) * 120) + (((f % 120) // 10) * 10)) + (f % 10))");
  const Expr out = join_digits(e);
  for (const std::int64_t f : {-241, -120, -7, 0, 9, 10, 119, 120, 1234}) {
    const auto at = [&](const Expr& of) {
      return try_constant(simplify(substitute(of, {{"f", index(f)}})));
    };
    ASSERT_TRUE(at(e));
    EXPECT_EQ(at(e), at(out)) << f;
  }
}

}  // namespace
}  // namespace solway::ir
