#include "codegen/athread/value_range.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

const ir::Scope kScope{{}, {{"i", ir::kInt64}, {"n", ir::kInt64}, {"s", {DType::Int32, {}}}}};

ir::Expr parse(const std::string& text) { return ir::parse_expr(text, kScope); }

ValueRanges with_i() {
  ValueRanges ranges;
  ranges.define("i", {0, 9});
  return ranges;
}

TEST(ValueRange, BoundsArithmeticOfKnownVariables) {
  const ValueRanges ranges = with_i();
  EXPECT_EQ(ranges.range(parse("((i * 4) + 3)")), (Range{3, 39}));
  EXPECT_EQ(ranges.range(parse("(5 - i)")), (Range{-4, 5}));
  EXPECT_EQ(ranges.range(parse("((i - 5) // 2)")), (Range{-3, 2}));
  EXPECT_EQ(ranges.range(parse("((i - 5) % 4)")), (Range{0, 3}));
  EXPECT_EQ(ranges.range(parse("(i % 16)")), (Range{0, 9}));
  EXPECT_EQ(ranges.range(parse("min(n, i)")), (Range{INT64_MIN, 9}));
  EXPECT_EQ(ranges.range(parse("max(n, 1)")), (Range{1, INT64_MAX}));
}

TEST(ValueRange, UnknownVariablesHaveTheirTypesRange) {
  EXPECT_EQ(ValueRanges().range(parse("n")), (Range{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(ValueRanges().range(parse("s")), (Range{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(ValueRanges().range(parse("int64(s)")), (Range{INT32_MIN, INT32_MAX}));
}

TEST(ValueRange, KnowsWhatMayWrap) {
  const ValueRanges ranges = with_i();
  const auto may_wrap = [&](const std::string& text) {
    return ranges.may_wrap(parse(text).as<ir::Binary>());
  };
  EXPECT_FALSE(may_wrap("(i + 1)"));
  EXPECT_FALSE(may_wrap("(i * 1000000000000000000)"));
  EXPECT_TRUE(may_wrap("(i * 2000000000000000000)"));
  EXPECT_TRUE(may_wrap("(n + 1)"));
  EXPECT_FALSE(may_wrap("(int64(s) * int64(s))"));
  EXPECT_TRUE(may_wrap("(s * s)"));
}

TEST(ValueRange, LoopBoundsGiveTheirVariable) {
  ValueRanges ranges = with_i();
  ranges.define_loop("n", parse("(i * 2)"), parse("min(100, ((i * 2) + 4))"));
  EXPECT_EQ(ranges.range(parse("n")), (Range{0, 21}));
  ranges.forget("n");
  EXPECT_EQ(ranges.range(parse("n")), (Range{INT64_MIN, INT64_MAX}));
}

TEST(ValueRange, DivisorsHoldForEveryValue) {
  ValueRanges ranges = with_i();
  EXPECT_EQ(ranges.divisor(parse("((i * 12) + 8)")), 4);
  EXPECT_EQ(ranges.divisor(parse("i")), 1);
  EXPECT_EQ(ranges.divisor(parse("0")), 0);
  ranges.define("n", {}, 6);
  EXPECT_EQ(ranges.divisor(parse("min((n * 2), 18)")), 6);
}

}  // namespace
}  // namespace solway::codegen
