#include "dsl/reducer.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/tensor.h"
#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using testing::element;
using ::testing::HasSubstr;
using testing::line;
using testing::lit;
using testing::op;
using testing::reduction;

std::shared_ptr<const Combiner> adding(bool is_commutative = true) {
  const Expr sum =
      op(BinaryOp::Add, make_param(0, DType::Int32, line(1)), make_param(1, DType::Int32, line(1)));
  return make_combiner("adding", {DType::Int32}, {lit(0L)}, {sum}, is_commutative, line(1));
}

TEST(MakeReduce, OfOneValueIsTheReduction) {
  const Axis k = reduction("k", 4);
  const std::vector<Expr> values = make_reduce(adding(), {element(DType::Int32)}, {k}, line(1));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0]->kind, ExprKind::Reduce);
  EXPECT_EQ(values[0]->type, DType::Int32);
  EXPECT_TRUE(values[0]->combiner->is_commutative);
  EXPECT_THAT(to_string(values[0]), HasSubstr("adding("));
}

TEST(MakeReduce, OfSeveralValuesHasItems) {
  const Expr a = make_param(0, DType::Float32, line(1));
  const Expr n = make_param(1, DType::Int64, line(1));
  const auto combiner = make_combiner("both", {DType::Float32, DType::Int64}, {lit(0L), lit(0L)},
                                      {a, n}, true, line(1));
  const auto values =
      make_reduce(combiner, {element(DType::Float32), lit(1L)}, {reduction("k", 4)}, line(1));
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[1]->kind, ExprKind::Item);
  EXPECT_EQ(values[1]->type, DType::Int64);
  EXPECT_EQ(values[0]->operands[0], values[1]->operands[0]);
  EXPECT_THAT(to_string(values[1]), HasSubstr("[1]"));
}

TEST(MakeCombiner, ConvertsIdentitiesAndRefusesWhatDoesNotFit) {
  EXPECT_EQ(adding()->identity[0]->type, DType::Int32);
  const Expr param = make_param(0, DType::Int32, line(1));
  EXPECT_THROW(make_combiner("f", {DType::Int32}, {lit(0L), lit(0L)}, {param}, true, line(1)),
               DslError);
  EXPECT_THROW(
      make_combiner("f", {DType::Int32}, {lit(0L)}, {element(DType::Int32)}, true, line(1)),
      DslError);
  EXPECT_THROW(make_combiner("f", {DType::Int32}, {param}, {param}, true, line(1)), DslError);
}

TEST(MakeArgReduce, IsAnInt64OfFlattenedPositions) {
  const Axis j = reduction("j", 4);
  const Axis k = make_axis("k", AxisKind::Reduce, 2, 5, line(1));
  const Expr first = make_arg_reduce(Extreme::Smallest, element(DType::Float32), {j, k}, line(1));
  EXPECT_EQ(first->type, DType::Int64);
  EXPECT_THAT(to_string(first), HasSubstr("argmin("));
  EXPECT_EQ(to_string(first->operands[0]->operands[1]), "j * 3 + (k - 2)");
}

/// The value of a result of a combine function for numbers as its parameters.
double value_of(const Expr& e, const std::vector<double>& params) {
  const auto operand = [&](std::size_t k) { return value_of(e->operands[k], params); };
  if (e->kind == ExprKind::Param) return params.at(static_cast<std::size_t>(e->int_value));
  if (e->kind == ExprKind::Select) return operand(0) != 0 ? operand(1) : operand(2);
  if (e->kind == ExprKind::Unary && e->unary == UnaryOp::Not) return operand(0) == 0 ? 1 : 0;
  if (e->kind == ExprKind::Unary && e->unary == UnaryOp::IsNan) return std::isnan(operand(0));
  if (e->kind == ExprKind::Binary && e->binary == BinaryOp::Lt) return operand(0) < operand(1);
  if (e->kind == ExprKind::Binary && e->binary == BinaryOp::Gt) return operand(0) > operand(1);
  if (e->kind == ExprKind::Binary && e->binary == BinaryOp::Ne) return operand(0) != operand(1);
  const bool is_and = e->kind == ExprKind::Binary && e->binary == BinaryOp::And;
  const bool is_or = e->kind == ExprKind::Binary && e->binary == BinaryOp::Or;
  if (is_and) return operand(0) != 0 && operand(1) != 0;
  if (is_or) return operand(0) != 0 || operand(1) != 0;
  ADD_FAILURE() << "no value of " << to_string(e);
  return 0;
}

TEST(MakeArgReduce, TakesNansFirstThenTheExtremeThenTheEarlier) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {2, 1, nan, 1, 3, nan, 3};
  for (const Extreme extreme : {Extreme::Smallest, Extreme::Largest}) {
    const Expr first =
        make_arg_reduce(extreme, element(DType::Float32), {reduction("k", 7)}, line(1));
    const Combiner& combiner = *first->operands[0]->combiner;
    // Whether element a comes before element b.
    const auto wins = [&](std::size_t a, std::size_t b) {
      if (std::isnan(values[a]) != std::isnan(values[b])) return std::isnan(values[a]);
      if (std::isnan(values[a]) || values[a] == values[b]) return a < b;
      return extreme == Extreme::Smallest ? values[a] < values[b] : values[a] > values[b];
    };
    for (std::size_t a = 0; a < values.size(); ++a) {
      for (std::size_t b = 0; b < values.size(); ++b) {
        if (a == b) continue;
        const auto winner = static_cast<double>(wins(a, b) ? a : b);
        const std::vector<double> params = {values[a], static_cast<double>(a), values[b],
                                            static_cast<double>(b)};
        EXPECT_EQ(value_of(combiner.results[1], params), winner) << a << " and " << b;
      }
    }
  }
}

TEST(MakeArgReduce, OfNothingIsRefused) {
  EXPECT_THROW(
      make_arg_reduce(Extreme::Largest, element(DType::Int8), {reduction("k", 0)}, line(1)),
      DslError);
}

}  // namespace
}  // namespace solway::dsl
