#include "dsl/tensor.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

Expr total(const Expr& term, const Axis& k, int number = 6) {
  return make_reduce(ReduceOp::Sum, term, {k}, line(number));
}

TEST(MakeCompute, CollectsReduceAxesInOrderOfAppearance) {
  const Tensor A = input("A", {4, 8});
  const Axis i = spatial("i", 4), k = reduction("k", 8), l = reduction("l", 8);
  const Expr body = add(total(read(A, {var(i), var(l)}), l), total(read(A, {var(i), var(k)}), k));
  const Tensor C = make_compute({4}, {i}, body, "C", line(8));
  EXPECT_THAT(C->reduce_axis, ElementsAre(l, k));
  EXPECT_EQ(C->type, DType::Float32);
  EXPECT_THAT(inputs_of(C), ElementsAre(A));
}

TEST(MakeCompute, OneReductionMayAppearTwice) {
  const Tensor A = input("A", {8});
  const Axis i = spatial("i", 4), k = reduction("k", 8);
  const Expr sum = total(read(A, {var(k)}), k);
  EXPECT_THAT(make_compute({4}, {i}, mul(sum, sum), "C", line(8))->reduce_axis, ElementsAre(k));
}

TEST(MakeCompute, RefusesOneAxisInTwoReductions) {
  const Tensor A = input("A", {8});
  const Axis i = spatial("i", 4), k = reduction("k", 8);
  const Expr body = add(total(read(A, {var(k)}), k), total(var(k), k, 7));
  try {
    make_compute({4}, {i}, body, "C", line(8));
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_EQ(e.report().what, "'k' is reduced over twice");
  }
}

TEST(MakeCompute, RefusesAxesOutOfScope) {
  const Axis i = spatial("i", 4), k = reduction("k", 8), other = spatial("j", 4);
  EXPECT_THROW(make_compute({4}, {i}, var(k), "C", line(8)), DslError);
  EXPECT_THROW(make_compute({4}, {i}, var(other), "C", line(8)), DslError);
  EXPECT_THROW(make_compute({4}, {i}, add(total(var(k), k), var(k)), "C", line(8)), DslError);
}

TEST(MakeCompute, RefusesTwoAxesOfOneName) {
  const Axis i = spatial("i", 4), k = reduction("i", 8);
  EXPECT_THROW(make_compute({4}, {i}, total(var(k), k), "C", line(8)), DslError);
}

TEST(MakeCompute, ChecksNumberAndExtentOfAxes) {
  EXPECT_THROW(make_compute({4, 4}, {spatial("i", 4)}, lit(0L), "C", line(8)), DslError);
  EXPECT_THROW(make_compute({4}, {spatial("i", 5)}, lit(0L), "C", line(8)), DslError);
}

TEST(MakeCompute, TakesEmptyShapesAndRankZero) {
  const Tensor A = input("A", {0});
  const Axis i = spatial("i", 0);
  EXPECT_EQ(make_compute({0}, {i}, read(A, {add(var(i), lit(5L))}), "C", line(8))->shape[0], 0);
  const Axis k = reduction("k", 0);
  EXPECT_TRUE(make_compute({}, {}, total(read(A, {var(k)}), k), "C", line(8))->axis.empty());
}

TEST(MakeCompute, ALiteralBodyHasItsDefaultType) {
  EXPECT_EQ(make_compute({4}, {spatial("i", 4)}, lit(0.5), "C", line(8))->type, DType::Float64);
  EXPECT_EQ(make_compute({4}, {spatial("i", 4)}, lit(1L), "C", line(8))->type, DType::Int64);
}

TEST(MakeCompute, TakesConditionsAsElements) {
  const Axis i = spatial("i", 4);
  const Expr body = op(BinaryOp::Lt, var(i), lit(2L));
  EXPECT_EQ(make_compute({4}, {i}, body, "C", line(8))->type, DType::Bool);
}

TEST(MakeCompute, SharedExpressionsCostOnce) {
  const Axis i = spatial("i", 4);
  Expr x = read(input("A", {4}), {var(i)});
  for (int n = 0; n < 60; ++n) x = mul(x, x);
  EXPECT_EQ(inputs_of(make_compute({4}, {i}, x, "C", line(8))).size(), 1U);
}

TEST(MakePlaceholder, RefusesNegativeExtentsNamesAndHugeShapes) {
  EXPECT_THROW(input("A", {4, -1}), DslError);
  EXPECT_THROW(input("1A", {4}), DslError);
  EXPECT_THROW(input("A B", {4}), DslError);
  EXPECT_THROW(input("A", {std::numeric_limits<std::int64_t>::max()}), DslError);
  try {
    input("A", {4, -1});
  } catch (const DslError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("(4, -1)"));
    EXPECT_EQ(e.report().where.line, 4);
  }
}

}  // namespace
}  // namespace solway::dsl
