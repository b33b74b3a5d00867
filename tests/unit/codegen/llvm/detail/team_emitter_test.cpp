#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

TEST(TeamEmitter, EachIterationRunsOnceWhateverTheBounds) {
  const JitKernel kernel = compile_for_team(R"(
kernel k(in N: int64[2], inout C: int64[40]) {
  for i in [N[0], N[1]) parallel {
    C[i] = ((C[i] * 2) + i)
  }
}
)");
  ASSERT_TRUE(kernel.is_on_team());
  for (const int threads : {1, 2, 3, 7}) {
    for (const auto& [begin, end] :
         {std::pair{0, 40}, {3, 4}, {5, 12}, {5, 5}, {9, 2}, {0, 2}, {1, 38}, {39, 40}, {40, 0}}) {
      std::vector<std::int64_t> n = {begin, end};
      std::vector<std::int64_t> c(40, 1);
      ASSERT_EQ(run_on(threads, kernel, n, c), KernelStatus::Ok);
      for (int i = 0; i < 40; ++i) EXPECT_EQ(c[i], i >= begin && i < end ? 2 + i : 1);
    }
  }
}

/// What is outside of parallel loops runs once, between barriers, and the loops around them on all.
TEST(TeamEmitter, ThreadZeroRunsTheRest) {
  const JitKernel kernel = compile_for_team(R"(
kernel k(in A: int64[64], out C: int64[64], inout S: int64[1]) {
  for t in [0, 50) {
    if (0 < t) {
      barrier
    }
    for i in [0, 64) parallel {
      C[i] = ((A[i] + S[0]) + t)
    }
    barrier
    S[0] = (S[0] + 1)
    for j in [0, 64) {
      S[0] = ((S[0] + C[j]) % 1009)
    }
    if (t < 49) {
      barrier
      for i1 in [0, 32) parallel {
        C[(i1 * 2)] = (C[(i1 * 2)] + S[0])
      }
    } else {
      barrier
      for i2 in [0, 64) parallel {
        C[i2] = t
      }
    }
  }
}
)");
  ASSERT_TRUE(kernel.is_on_team());
  std::vector<std::int64_t> a(64);
  std::iota(a.begin(), a.end(), 0);
  std::vector<std::int64_t> expected_c(64), expected_s(1, 5);
  ASSERT_EQ(run_on(1, kernel, a, expected_c, expected_s), KernelStatus::Ok);
  std::int64_t s = 5;
  for (int t = 0; t < 50; ++t) {
    std::int64_t next = s + 1;
    for (int j = 0; j < 64; ++j) next = (next + a[static_cast<std::size_t>(j)] + s + t) % 1009;
    s = next;
  }
  EXPECT_EQ(expected_s[0], s);
  EXPECT_EQ(expected_c, std::vector<std::int64_t>(64, 49));
  for (const int threads : {2, 3, 4}) {
    std::vector<std::int64_t> c(64), sum(1, 5);
    ASSERT_EQ(run_on(threads, kernel, a, c, sum), KernelStatus::Ok);
    EXPECT_EQ(c, expected_c);
    EXPECT_EQ(sum, expected_s);
  }
}

/// LLVM must neither keep a value in a register across a barrier nor move a store over it: the
/// pointers are noalias, and no call that it knows of changes what is there.
TEST(TeamEmitter, BarriersMoveValuesThroughMemory) {
  const JitKernel kernel = compile_for_team(R"(
kernel k(inout C: int64[8], out D: int64[8]) {
  for i in [0, 8) parallel {
    D[i] = C[(7 - i)]
  }
  barrier
  for i1 in [0, 8) parallel {
    C[i1] = (D[i1] + 100)
  }
  barrier
  for i2 in [0, 8) parallel {
    D[i2] = C[(7 - i2)]
  }
}
)");
  for (const int threads : {1, 2, 4, 8}) {
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<std::int64_t> c(8);
      std::iota(c.begin(), c.end(), repeat);
      std::vector<std::int64_t> d(8), expected(8);
      std::iota(expected.begin(), expected.end(), repeat + 100);
      ASSERT_EQ(run_on(threads, kernel, c, d), KernelStatus::Ok);
      ASSERT_EQ(d, expected) << threads;
    }
  }
}

}  // namespace
}  // namespace solway::codegen
