#include "dsl/terms_where.h"

#include <gtest/gtest.h>

#include "dsl/tensor.h"

namespace solway::dsl {
namespace {

const Axis kAxis = make_axis("k", AxisKind::Reduce, 0, 4, {});

std::string text_of(ReduceOp op, DType type) {
  const Expr k = make_axis_ref(kAxis, {});
  const Expr x = make_read(make_placeholder({4}, type, "A", {}), {k}, {});
  const Expr two = make_int(2, DType::Int64, true, {});
  return to_string(make_terms_where(op, x, make_binary(BinaryOp::Lt, k, two, {}), {}));
}

TEST(TermsWhere, ElsewhereIsTheIdentity) {
  EXPECT_EQ(text_of(ReduceOp::Sum, DType::Float32), "select(k < 2, A[k], 0.0)");
  EXPECT_EQ(text_of(ReduceOp::Prod, DType::Int32), "select(k < 2, A[k], 1)");
  EXPECT_EQ(text_of(ReduceOp::Min, DType::Float16), "select(k < 2, A[k], inf)");
  EXPECT_EQ(text_of(ReduceOp::Max, DType::Int8), "select(k < 2, A[k], -128)");
}

TEST(TermsWhere, ConditionsAreCounted) {
  EXPECT_EQ(text_of(ReduceOp::Sum, DType::Bool), "select(k < 2, cast(A[k], int64), 0)");
  EXPECT_EQ(text_of(ReduceOp::Any, DType::Bool), "select(k < 2, A[k], False)");
  EXPECT_EQ(text_of(ReduceOp::All, DType::Float32), "select(k < 2, A[k] != 0.0, True)");
}

}  // namespace
}  // namespace solway::dsl
