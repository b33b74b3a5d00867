#include "driver/frontend/functions.h"

#include <gtest/gtest.h>

#include "driver/frontend/tensor.h"

namespace solway {
namespace {

std::string text(const Expr& e) { return dsl::to_string(e.node()); }

class Functions : public testing::Test {
 protected:
  Tensor A = placeholder({8}, DType::Float32, "A");
  Axis i = reduce_axis(0, 8, "i");
};

TEST_F(Functions, HaveTheirNames) {
  EXPECT_EQ(text(select(i < 4, A[i], 0)), "select(i < 4, A[i], 0.0)");
  EXPECT_EQ(text(clip(A[i], 0, 6)), "minimum(maximum(A[i], 0.0), 6.0)");
  EXPECT_EQ(text(floor_divide(i, 2)), "i // 2");
  EXPECT_EQ(text(fabs(i) + rint(A[i])), "abs(cast(i, float64)) + cast(round(A[i]), float64)");
  EXPECT_EQ(text(square(A[i])) + text(reciprocal(A[i])), "A[i] * A[i]1.0 / A[i]");
  EXPECT_EQ(text(cast(i, DType::Float32)), "cast(i, float32)");
  EXPECT_EQ(text(sqrt(A[i]) + exp(A[i]) + tanh(A[i])), "sqrt(A[i]) + exp(A[i]) + tanh(A[i])");
}

TEST_F(Functions, FoldConditions) {
  EXPECT_EQ(text(all_of({0 <= i, i < 4})), "0 <= i and i < 4");
  EXPECT_EQ(text(any_of({i == 0, i == 7})), "i == 0 or i == 7");
  EXPECT_EQ(all_of({}).node()->int_value, 1);
  EXPECT_EQ(any_of({}).node()->int_value, 0);
}

TEST_F(Functions, Reduce) {
  EXPECT_EQ(text(sum(A[i], {i})), "sum(A[i], axis=i)");
  EXPECT_EQ(text(prod(A[i], {i})), "prod(A[i], axis=i)");
  EXPECT_EQ(text(min(A[i], {i})), "min(A[i], axis=i)");
  EXPECT_EQ(text(max(A[i], {i})), "max(A[i], axis=i)");
  EXPECT_EQ(text(all(A[i] < 2, {i})), "all(A[i] < 2.0, axis=i)");
  EXPECT_EQ(text(any(A[i] < 2, {i})), "any(A[i] < 2.0, axis=i)");
  EXPECT_EQ(text(argmin(A[i], {i})), "argmin(A[i], axis=i)");
  EXPECT_EQ(text(argmax(A[i], {i})), "argmax(A[i], axis=i)");
}

TEST_F(Functions, ReduceSomeTerms) {
  EXPECT_EQ(text(sum(A[i], {i}, Where{i < 4})), "sum(select(i < 4, A[i], 0.0), axis=i)");
  EXPECT_EQ(text(prod(A[i], {i}, Where{i < 4})), "prod(select(i < 4, A[i], 1.0), axis=i)");
  EXPECT_EQ(text(min(A[i], {i}, Where{i < 4})), "min(select(i < 4, A[i], inf), axis=i)");
  EXPECT_EQ(text(max(A[i], {i}, Where{i < 4})), "max(select(i < 4, A[i], -inf), axis=i)");
  EXPECT_EQ(all(A[i] < 2, {i}, Where{i < 4}).dtype(), DType::Bool);
  EXPECT_EQ(any(A[i] < 2, {i}, Where{i < 4}).dtype(), DType::Bool);
}

TEST_F(Functions, PromiseRanges) {
  const Tensor I = placeholder({8}, DType::Int64, "I");
  EXPECT_EQ(text(A[bounded(I[i], 2, 5)]), "A[bounded(I[i], 2, 5)]");
}

TEST_F(Functions, AccumulateInAnotherType) {
  EXPECT_EQ(sum(A[i], {i}, DType::Float64).dtype(), DType::Float64);
  EXPECT_EQ(prod(A[i], {i}, DType::Float64).dtype(), DType::Float64);
  EXPECT_EQ(min(A[i], {i}, DType::Float64).dtype(), DType::Float64);
  EXPECT_EQ(max(A[i], {i}, DType::Float64).dtype(), DType::Float64);
}

TEST_F(Functions, AreNumPys) {
  EXPECT_EQ(text(arctan2(A[i], 2) + hypot(A[i], 1)), "arctan2(A[i], 2.0) + hypot(A[i], 1.0)");
  EXPECT_EQ(text(expm1(A[i]) + log1p(A[i])), "expm1(A[i]) + log1p(A[i])");
  EXPECT_EQ(text(square(A[i]) + reciprocal(A[i])), "A[i] * A[i] + 1.0 / A[i]");
  EXPECT_EQ(text(fmin(A[i], 2)), "select(A[i] <= 2.0 or False, A[i], 2.0)");
  EXPECT_EQ(text(fmod(i, 3)), "fmod(i, 3)");
  EXPECT_EQ(isfinite(A[i]).dtype(), DType::Bool);
}

}  // namespace
}  // namespace solway
