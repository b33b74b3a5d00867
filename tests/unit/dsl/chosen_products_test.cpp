#include "dsl/chosen_products.h"

#include <gtest/gtest.h>

namespace solway::dsl {
namespace {

const Axis kAxis = make_axis("k", AxisKind::Reduce, 0, 4, {});

Expr read(const std::string& name) {
  return make_read(make_placeholder({4}, DType::Float32, name, {}), {make_axis_ref(kAxis, {})}, {});
}

/// A[k] where k < `end`, else a number.
Expr chosen(const std::string& name, std::int64_t end, double other = 0) {
  const Expr below = make_binary(BinaryOp::Lt, make_axis_ref(kAxis, {}),
                                 make_int(end, DType::Int64, true, {}), {});
  return make_select(below, read(name), make_float(other, DType::Float32, false, {}), {});
}

Expr times(const Expr& a, const Expr& b) { return make_binary(BinaryOp::Mul, a, b, {}); }

/// The term of the sum; empty: it is what it was.
std::string without_zeros(const Expr& term, ReduceOp op = ReduceOp::Sum) {
  const Expr sum = make_reduce(op, term, {kAxis}, {});
  const Tensor c = make_compute(Extents{}, {}, make_unary(UnaryOp::Neg, sum, {}), "C", {});
  const Tensor made = without_zero_products(c, {});
  return made == nullptr ? "" : to_string(made->body->operands[0]->operands[0]);
}

TEST(ChosenProducts, ConditionsOfFactorsAreThoseOfTerms) {
  EXPECT_EQ(without_zeros(times(chosen("A", 2), read("B"))), "select(k < 2, A[k] * B[k], 0.0)");
  EXPECT_EQ(without_zeros(times(read("B"), times(chosen("A", 2), read("D")))),
            "select(k < 2, B[k] * (A[k] * D[k]), 0.0)");
  EXPECT_EQ(without_zeros(times(chosen("A", 2), chosen("B", 3))),
            "select(k < 2 and k < 3, A[k] * B[k], 0.0)");
}

TEST(ChosenProducts, OthersStay) {
  EXPECT_EQ(without_zeros(times(chosen("A", 2, 1), read("B"))), "");
  EXPECT_EQ(without_zeros(times(read("A"), read("B"))), "");
  EXPECT_EQ(without_zeros(chosen("A", 2)), "");
  EXPECT_EQ(without_zeros(times(chosen("A", 2), read("B")), ReduceOp::Max), "");
  EXPECT_EQ(without_zero_products(make_placeholder({4}, DType::Float32, "A", {}), {}), nullptr);
}

}  // namespace
}  // namespace solway::dsl
