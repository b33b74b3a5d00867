#include "lowering/ir/range.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::ir {
namespace {

std::string range(const std::string& text) {
  const Scope scope{{{"A", make_buffer("A", DType::Int32, {4})}},
                    {{"i", kInt64}, {"j", kInt64}, {"any", kInt64}, {"p", kBool}}};
  const auto r = try_range(parse_expr(text, scope), {{"i", {0, 7}}, {"j", {-3, 4}}});
  return r ? std::to_string(r->lo) + ".." + std::to_string(r->hi) : "unknown";
}

TEST(Range, FollowsArithmetic) {
  EXPECT_EQ(range("((i * 8) + 3)"), "3..59");
  EXPECT_EQ(range("(i - j)"), "-4..10");
  EXPECT_EQ(range("(j * j)"), "-12..16");
  EXPECT_EQ(range("(j // 2)"), "-2..2");
  EXPECT_EQ(range("(j % 4)"), "0..3");
  EXPECT_EQ(range("(i % 8)"), "0..7");
  EXPECT_EQ(range("min(i, max(j, 1))"), "0..4");
  EXPECT_EQ(range("select(p, i, j)"), "-3..7");
}

TEST(Range, IsUnknownWhereAnOperationMayWrap) {
  EXPECT_EQ(range("(any + 1)"), "unknown");
  EXPECT_EQ(range("((any + 1) % 4)"), "unknown");
  EXPECT_EQ(range("(any % 4)"), "0..3");
  EXPECT_EQ(range("(i // j)"), "unknown");
  EXPECT_EQ(range("(A[0] + 1i32)"), "unknown");
  EXPECT_EQ(range("(int64(A[0]) + 1)"), "-2147483647..2147483648");
}

TEST(Range, OfALoopIsUnknownWhenItNeverRuns) {
  const Stmt s = parse_stmt("for k in [4, 4) { }", {});
  EXPECT_FALSE(try_range(s.as<For>(), {}).has_value());
}

const Scope kScope{{}, {{"i", kInt64}, {"n", kInt64}, {"s", {DType::Int32, {}}}}};
const Ranges kOfI{{"i", {0, 9}}};

Expr parse(const std::string& text) { return parse_expr(text, kScope); }

Range all_values(const std::string& text) { return range_of(parse(text), kOfI); }

TEST(RangeOf, BoundsArithmeticOfKnownVariables) {
  EXPECT_EQ(all_values("((i * 4) + 3)"), (Range{3, 39}));
  EXPECT_EQ(all_values("(5 - i)"), (Range{-4, 5}));
  EXPECT_EQ(all_values("neg(i)"), (Range{-9, 0}));
  EXPECT_EQ(all_values("((i - 5) // 2)"), (Range{-3, 2}));
  EXPECT_EQ(all_values("((i - 5) % 4)"), (Range{0, 3}));
  EXPECT_EQ(all_values("(i % 16)"), (Range{0, 9}));
  EXPECT_EQ(all_values("min(n, i)"), (Range{INT64_MIN, 9}));
  EXPECT_EQ(all_values("max(n, 1)"), (Range{1, INT64_MAX}));
}

TEST(RangeOf, IsTheWholeTypeWhereAnOperationMayWrap) {
  EXPECT_EQ(all_values("(n + 1)"), (Range{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(all_values("((n + 1) % 4)"), (Range{0, 3}));
  EXPECT_EQ(all_values("s"), (Range{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(all_values("int64(s)"), (Range{INT32_MIN, INT32_MAX}));
}

TEST(RangeOf, ALoopIsThatOfItsVariable) {
  const auto values = [](const std::string& head) {
    return range_of(parse_stmt("for k in " + head + " { }", kScope).as<For>(), kOfI);
  };
  EXPECT_EQ(values("[(i * 2), min(100, ((i * 2) + 4)))"), (Range{0, 21}));
  EXPECT_EQ(values("[4, 4)"), (Range{4, 4}));
}

TEST(MayWrap, WhenTheResultLeavesItsType) {
  const auto wraps = [](const std::string& text) {
    return may_wrap(parse(text).as<Binary>(), kOfI);
  };
  EXPECT_FALSE(wraps("(i + 1)"));
  EXPECT_FALSE(wraps("(i * 1000000000000000000)"));
  EXPECT_TRUE(wraps("(i * 2000000000000000000)"));
  EXPECT_TRUE(wraps("(n + 1)"));
  EXPECT_FALSE(wraps("(int64(s) * int64(s))"));
  EXPECT_TRUE(wraps("(s * s)"));
  EXPECT_FALSE(may_wrap(parse("neg(i)").as<Unary>(), kOfI));
  EXPECT_TRUE(may_wrap(parse("neg(n)").as<Unary>(), kOfI));
}

TEST(DivisorOf, DividesEveryValue) {
  const auto divisor = [](const std::string& text) {
    return divisor_of(parse(text), {{"n", {INT64_MIN, INT64_MAX, 6}}});
  };
  EXPECT_EQ(divisor("((i * 12) + 8)"), 4);
  EXPECT_EQ(divisor("i"), 1);
  EXPECT_EQ(divisor("0"), 0);
  EXPECT_EQ(divisor("min((n * 2), 18)"), 6);
}

}  // namespace
}  // namespace solway::ir
