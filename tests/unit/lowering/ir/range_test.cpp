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

}  // namespace
}  // namespace solway::ir
