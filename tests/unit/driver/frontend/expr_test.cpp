#include "driver/frontend/expr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/frontend/tensor.h"
#include "support/error.h"

namespace solway {
namespace {

using testing::EndsWith;

TEST(Expr, OperatorsReadAsFormulas) {
  const Tensor A = placeholder({8, 8}, DType::Float32, "A");
  const Axis i = reduce_axis(0, 8, "i");
  const Expr e = A[{i, i}] * 2 + 1;
  EXPECT_EQ(dsl::to_string(e.node()), "A[i, i] * 2.0 + 1.0");
  EXPECT_EQ(e.dtype(), DType::Float32);
  EXPECT_EQ(dsl::to_string((i % 3 == 0 && !(i < 2)).node()), "i % 3 == 0 and not i < 2");
}

TEST(Expr, NumbersHaveNumPysTypes) {
  const Tensor A = placeholder({8}, DType::Int8, "A");
  const Axis i = reduce_axis(0, 8, "i");
  EXPECT_EQ((A[i] + 1).dtype(), DType::Int8);
  EXPECT_EQ((A[i] + std::int64_t{1}).dtype(), DType::Int64);
  EXPECT_EQ((A[i] * 0.5).dtype(), DType::Float64);
  EXPECT_EQ(Expr(0.5F).dtype(), DType::Float32);
  EXPECT_EQ(Expr(true).dtype(), DType::Bool);
  EXPECT_EQ(A[i].astype(DType::Float32).dtype(), DType::Float32);
}

TEST(Expr, RemembersTheLineOfTheProgram) {
  const Axis i = reduce_axis(0, 8, "i");
  const Expr e = i + 1;
  const int line = __LINE__ - 1;
  EXPECT_EQ(e.node()->where.line, line);
  EXPECT_THAT(e.node()->where.file, EndsWith("expr_test.cpp"));
}

TEST(Expr, RefusesAsTheDslDoes) {
  const Tensor A = placeholder({8}, DType::Int8, "A");
  const Axis i = reduce_axis(0, 8, "i");
  try {
    A[i] + 1000;
    FAIL() << "expected DslError";
  } catch (const DslError& error) {
    EXPECT_EQ(error.report().where.line, __LINE__ - 3);
  }
}

TEST(Expr, OperatorsOnBits) {
  const Tensor A = placeholder({8}, DType::Int32, "A");
  const Axis i = reduce_axis(0, 8, "i");
  EXPECT_EQ(dsl::to_string(((A[i] & 3) | (A[i] ^ 1)).node()), "A[i] & 3 | A[i] ^ 1");
  EXPECT_EQ(dsl::to_string((~A[i] << 2 >> 1).node()), "~A[i] << 2 >> 1");
}

}  // namespace
}  // namespace solway
