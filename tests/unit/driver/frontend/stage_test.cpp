#include "driver/frontend/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "driver/frontend/kernel.h"
#include "driver/frontend/recurrences.h"
#include "driver/frontend/schedule.h"
#include "support/error.h"

namespace solway {
namespace {

using testing::HasSubstr;

class FrontendStage : public testing::Test {
 protected:
  Tensor A = placeholder({10}, DType::Float32, "A");
  Tensor C = compute(
      {10}, {"i"}, [&](Axis i) { return A[i] * 2; }, "C");
  Schedule s{{C}};
};

TEST_F(FrontendStage, SplitsIntoParts) {
  const auto [outer, inner] = s[C].split("i", Parts{3});
  EXPECT_EQ(outer.extent(), 3);
  EXPECT_EQ(inner.extent(), 4);
  EXPECT_THROW(s[C].split(inner, Parts{0}), ScheduleArgumentError);
}

TEST_F(FrontendStage, SpecializesItsLoops) {
  const auto [outer, inner] = s[C].split("i", 4);
  const Tensor rest = s[C].specialize({outer < 2});
  s[C].vectorize(inner);
  s[rest].unroll("i.i");
  EXPECT_EQ(rest.name(), "C_else");
  EXPECT_EQ(s.to_string(),
            "For i.o in range(2)\n"
            "  For i.i in range(4)  # vectorized\n"
            "    C[i.o*4 + i.i] = A[i.o*4 + i.i]*2.0\n"
            "For i.o in range(2, 3)\n"
            "  For i.i in range(2)  # unrolled\n"
            "    C[i.i + 8] = A[i.i + 8]*2.0\n");
  // By axes of the tensor, too; conditions that always hold divide nothing.
  Schedule other({C});
  EXPECT_EQ(other[C].specialize({C.axis()[0] >= 3, C.axis()[0] < 6}).name(), "C_else");
  EXPECT_THROW(Schedule({C})[C].specialize({C.axis()[0] < 10}), ScheduleArgumentError);
}

TEST_F(FrontendStage, TensorizesWhatAnIntrinsicComputes) {
  const Tensor X = placeholder({5}, DType::Float32, "X");
  const Tensor Y = compute(
      {5}, {"i"}, [&](Axis i) { return X[i] * 2; }, "Y");
  const Intrinsic twice =
      intrinsic(Y, {{"c", "for (int i = 0; i < 5; ++i) Y[i * Y_stride0] = X[i * X_stride0] * 2;"}});
  const auto [outer, inner] = s[C].split("i", 5);
  s[C].tensorize(inner, twice);
  EXPECT_EQ(s.to_string(), "For i.o in range(2)\n  Y(Y: C[i.o*5], X: A[i.o*5])\n");
  std::vector<float> a(10), c(10), expected(10);
  for (std::size_t n = 0; n < a.size(); ++n) expected[n] = 2 * (a[n] = static_cast<float>(n) - 4);
  build(s, {A, C}, {.target = "c"})({a, c});
  EXPECT_EQ(c, expected);

  Schedule other({C});
  EXPECT_THROW(other[C].tensorize("i", twice), ScheduleArgumentError);
}

TEST_F(FrontendStage, TensorizesAProductWithAMicroKernel) {
  const Tensor X = placeholder({4, 6}, DType::Float32, "X");
  const Tensor Y = placeholder({6, 8}, DType::Float32, "Y");
  const Axis k = reduce_axis(0, 6, "k");
  const Tensor Z = compute(
      {4, 8}, {"i", "j"},
      [&](Axis i, Axis j) {
        return sum(X[{i, k}] * Y[{k, j}], {k});
      },
      "Z");
  Schedule product({Z});
  const auto [outer, inner] = product[Z].split("k", 6);
  product[Z].reorder({outer, "i", "j", inner});
  product[Z].tensorize("i", micro_kernel());
  EXPECT_THAT(product.to_string(), HasSubstr("micro_kernel_4x8x6(C: Z[0, 0]"));
  EXPECT_THROW(s[C].tensorize("i", micro_kernel()), UnsupportedError);
}

TEST_F(FrontendStage, RunsInTheLoopsOfATensor) {
  const Tensor D = compute(
      {10}, {"x"}, [&](Axis x) { return C[x] + 1; }, "D");
  Schedule both({D});
  both[C].fuse_with(D, "x");
  both[D].athread_parallel("x");
  EXPECT_EQ(both.log().size(), 2U);
  Schedule other({D});
  EXPECT_THROW(both[C].fuse_with(other[D], "x"), ScheduleArgumentError);
}

TEST(FrontendFixes, SaysAndMakesWhatIsLegal) {
  const Tensor H = recurrence(
      {4, 6}, {"t", "i"}, DType::Float32,
      [](const Tensor& H, Axis t, Axis i) {
        return select(all_of({t > 0, i < 5}), H[{maximum(t - 1, 0), minimum(i + 1, 5)}], 1);
      },
      "H");
  Schedule s({H});
  EXPECT_FALSE(s.fix().has_value());
  EXPECT_THROW(s[H].reorder({"i", "t"}), IllegalScheduleError);
  EXPECT_EQ(s.fix().value_or(""), "s[H].skew('i', by='t', factor=1), then reorder");
  s.apply_fix();
  EXPECT_EQ(s.log().back().primitive, "skew");
  EXPECT_FALSE(s.fix().has_value());
  EXPECT_THROW(s.apply_fix(), ScheduleArgumentError);
  s[H].reorder({"i", "t"});
}

TEST(FrontendFixes, GiveAMarkToThePartialResults) {
  const Tensor A = placeholder({8, 8}, DType::Int32, "A");
  const Axis k = reduce_axis(0, 8, "k");
  const Tensor C = compute(
      {8}, {"i"},
      [&](Axis i) {
        return sum(A[{i, k}], {k});
      },
      "C");
  Schedule s({C});
  EXPECT_THROW(s[C].parallel(k), IllegalScheduleError);
  EXPECT_THAT(s.fix().value_or(""), HasSubstr("rfactor"));
  EXPECT_THROW(s[C].bind(k, "row"), IllegalScheduleError);
  EXPECT_EQ(s.fix().value_or(""), "P = s.rfactor(C, 'k'), then s[P].bind('k', 'row')");
}

}  // namespace
}  // namespace solway
