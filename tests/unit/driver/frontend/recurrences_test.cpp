#include "driver/frontend/recurrences.h"

#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "driver/frontend/kernel.h"
#include "driver/frontend/schedule.h"
#include "support/error.h"

namespace solway {
namespace {

TEST(Recurrence, ReadsEarlierElements) {
  const Tensor A = placeholder({8}, DType::Int32, "A");
  const auto with_distance = [&](int distance) {
    return recurrence(
        {8}, {"i"}, DType::Int32,
        [&](const Tensor& S, Axis i) { return A[i] + select(i > 0, S[i - distance], 0); }, "S");
  };
  EXPECT_EQ(with_distance(1).dtype(), DType::Int32);
  EXPECT_THROW(with_distance(0), DslError);
}

TEST(Update, SharesTheMemoryOfItsTensor) {
  const Tensor A = placeholder({4, 6}, DType::Float32, "A");
  const Tensor B = update(
      A, {4, 4}, {"i", "j"},
      [](Axis i, Axis j) {
        return std::vector<Expr>{i, j + 1};
      },
      [&](Axis i, Axis j) {
        return A[{i, j}] + A[{i, j + 2}];
      },
      "B");
  EXPECT_EQ(B.node()->storage_name(), "A");
  EXPECT_EQ(B.shape(), (Shape{4, 6}));
}

TEST(Compute, TakesADomain) {
  const Tensor A = placeholder({4, 4}, DType::Float32, "A");
  const Tensor L = compute(
      {4, 4}, {"i", "j"},
      [&](Axis i, Axis j) {
        return A[{i, j}] * 2;
      },
      [](Axis i, Axis j) { return j <= i; }, "L");
  EXPECT_NE(L.node()->domain, nullptr);
  EXPECT_THROW(compute(
                   {4, 4}, {"i", "j"},
                   [&](Axis i, Axis j) {
                     return L[{i, j}];
                   },
                   "C"),
               DslError);
}

TEST(Recurrence, TakesADomain) {
  const Tensor L = recurrence(
      {4, 4}, {"i", "j"}, DType::Int32,
      [](const Tensor& S, Axis i, Axis j) {
        return select(j > 0, S[{i, maximum(j - 1, 0)}] + 1, 0);
      },
      [](Axis i, Axis j) { return j <= i; }, "L");
  std::vector<std::int32_t> l(16, -1);
  build(create_schedule({L}), {L})({l});
  EXPECT_EQ(l, (std::vector<std::int32_t>{0, -1, -1, -1, 0, 1, -1, -1, 0, 1, 2, -1, 0, 1, 2, 3}));
}

TEST(Update, TakesADomain) {
  const Tensor A = placeholder({6}, DType::Int32, "A");
  const Tensor B = update(
      A, {6}, {"k"}, [](Axis k) { return k; }, [&](Axis k) { return A[k] * 10; },
      [](Axis k) { return k % 2 == 0; }, "B");
  std::vector<std::int32_t> a{1, 2, 3, 4, 5, 6};
  build(create_schedule({B}), {A})({a});
  EXPECT_EQ(a, (std::vector<std::int32_t>{10, 2, 30, 4, 50, 6}));
}

}  // namespace
}  // namespace solway
