#include "driver/frontend/reducer.h"

#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "driver/frontend/kernel.h"
#include "driver/frontend/tensor.h"
#include "support/error.h"

namespace solway {
namespace {

class FrontendReducer : public testing::Test {
 protected:
  Tensor A = placeholder({3, 5}, DType::Int32, "A");
  Axis k = reduce_axis(0, 5, "k");
  std::vector<std::int32_t> a{4, 1, 7, 2, 7, -3, -9, -1, -2, -8, 0, 0, 5, 5, 1};
};

TEST_F(FrontendReducer, CombinesOneValue) {
  const Reducer largest =
      reducer([](const Expr& x, const Expr& y) { return maximum(x, y); }, -100, {true, "largest"});
  const Tensor B = compute(
      {3}, {"i"},
      [&](Axis i) {
        return largest(A[{i, k}], {k});
      },
      "B");
  EXPECT_EQ(dsl::to_string(B.node()->body), "largest(A[i, k], axis=k)");
  std::vector<std::int32_t> b(3);
  build(create_schedule({B}), {A, B})({a, b});
  EXPECT_EQ(b, (std::vector<std::int32_t>{7, -1, 5}));
}

TEST_F(FrontendReducer, CombinesSeveralValuesAtOnce) {
  using Values = std::vector<Expr>;
  const Reducer both = reducer(
      [](const Values& x, const Values& y) {
        return Values{x[0] + y[0], minimum(x[1], y[1])};
      },
      {0, 100});
  const std::vector<Tensor> outs = compute(
      {3}, {"i"},
      [&](Axis i) {
        return both(Values{A[{i, k}], A[{i, k}]}, {k});
      },
      "B");
  ASSERT_EQ(outs.size(), 2U);
  EXPECT_EQ(outs[1].name(), "B_1");
  EXPECT_EQ(outs[0].members().size(), 2U);
  std::vector<std::int32_t> sums(3), least(3);
  build(create_schedule(outs), {A, outs[0], outs[1]})({a, sums, least});
  EXPECT_EQ(sums, (std::vector<std::int32_t>{21, -23, 11}));
  EXPECT_EQ(least, (std::vector<std::int32_t>{1, -9, 0}));
}

TEST_F(FrontendReducer, RefusesOtherValuesAndTakenNames) {
  const auto add = [](const Expr& x, const Expr& y) { return x + y; };
  EXPECT_THROW(reducer(add, 0, {true, "sum"}), DslError);
  using Values = std::vector<Expr>;
  const Expr one = A[{0, k}];
  EXPECT_THROW(reducer(add, 0)(Values({one, one}), {k}), DslError);
}

}  // namespace
}  // namespace solway
