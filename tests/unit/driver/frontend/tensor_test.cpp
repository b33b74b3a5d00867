#include "driver/frontend/tensor.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "support/error.h"

namespace solway {
namespace {

using testing::HasSubstr;

TEST(Tensor, ComputeNamesItsAxes) {
  const Tensor A = placeholder({4, 6}, DType::Float32, "A");
  const Axis k = reduce_axis(0, 6, "k");
  const Tensor B = compute(
      {4}, {"i"},
      [&](Axis i) {
        return sum(A[{i, k}], {k});
      },
      "B");
  EXPECT_EQ(B.shape(), Shape{4});
  ASSERT_EQ(B.axis().size(), 1U);
  EXPECT_EQ(B.axis()[0].name(), "i");
  ASSERT_EQ(B.reduce_axis().size(), 1U);
  EXPECT_TRUE(B.reduce_axis()[0].is_same(k));
}

TEST(Tensor, ComputeOfNoDimension) {
  const Tensor A = placeholder({4}, DType::Float32, "A");
  const Axis k = reduce_axis(0, 4, "k");
  const Tensor B = compute(sum(A[k], {k}), "B");
  EXPECT_TRUE(B.shape().empty());
  EXPECT_EQ(B[{}].dtype(), DType::Float32);
}

TEST(Tensor, ConstantHasItsValues) {
  const std::vector<std::int16_t> values = {1, -2, 3, 4, 5, 6};
  const Tensor W = constant({2, 3}, values, "W");
  EXPECT_EQ(W.dtype(), DType::Int16);
  ASSERT_EQ(W.node()->values->size(), 12U);
  EXPECT_EQ(std::memcmp(W.node()->values->data(), values.data(), 12), 0);
  EXPECT_THROW(constant({2, 2}, values, "W"), DslError);
}

TEST(Tensor, RefusesReadsOutside) {
  const Tensor A = placeholder({4}, DType::Float32, "A");
  try {
    compute(
        {4}, {"i"}, [&](Axis i) { return A[i + 1]; }, "B");
    FAIL() << "expected DslError";
  } catch (const DslError& error) {
    EXPECT_EQ(error.report().where.line, __LINE__ - 3);
    EXPECT_THAT(error.what(), HasSubstr("A[i + 1] reads element 4 of 4 at i=3"));
  }
}

TEST(Tensor, RefusesAnotherNumberOfNames) {
  EXPECT_THROW(compute(
                   {4, 4}, {"i"}, [&](Axis i) { return i + 1; }, "B"),
               DslError);
}

TEST(Tensor, SeveralValuesOfOneStage) {
  const Tensor A = placeholder({4, 4}, DType::Float32, "A");
  const std::vector<Tensor> outs = compute(
      {4, 4}, {"i", "j"},
      [&](Axis i, Axis j) {
        return std::vector<Expr>{A[{i, j}] * 2, i + j};
      },
      [](Axis i, Axis j) { return j <= i; }, "B");
  ASSERT_EQ(outs.size(), 2U);
  EXPECT_EQ(outs[0].name(), "B_0");
  EXPECT_EQ(outs[1].dtype(), DType::Int64);
  EXPECT_NE(outs[1].node()->domain, nullptr);
}

}  // namespace
}  // namespace solway
