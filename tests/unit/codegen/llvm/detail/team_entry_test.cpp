#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

/// T holds what one iteration passes to the next statement, M what one loop passes to another one.
constexpr const char* kBuffers = R"(
kernel k(in A: float32[24], out C: float32[24]) {
  allocate M: float32[24] {
    for i in [0, 24) parallel {
      allocate T: float32[20000] in panel {
        for j in [0, 20000) {
          T[j] = (A[i] + 1.0f32)
        }
        M[(23 - i)] = (T[0] + T[19999])
      }
    }
    barrier
    for i1 in [0, 24) parallel {
      C[i1] = M[i1]
    }
  }
}
)";

TEST(TeamEntry, ThreadsHaveTheirOwnBuffersAndMainMemoryInCommon) {
  const JitKernel kernel = compile_for_team(kBuffers);
  std::vector<float> a(24);
  for (int i = 0; i < 24; ++i) a[static_cast<std::size_t>(i)] = static_cast<float>(i);
  for (const int threads : {1, 2, 3, 5}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<float> c(24);
      ASSERT_EQ(run_on(threads, kernel, a, c), KernelStatus::Ok);
      for (int i = 0; i < 24; ++i) {
        ASSERT_EQ(c[static_cast<std::size_t>(i)], static_cast<float>(2 * (24 - i)));
      }
    }
  }
}

TEST(TeamEntry, WithoutMemoryNothingRuns) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer ends a program that asks for too much";
#endif
  const JitKernel kernel = compile_for_team(R"(
kernel k(out C: float32[4]) {
  for i in [0, 4) parallel {
    allocate T: int8[4611686018427387904] in panel {
      T[0] = 1i8
      C[i] = 1.0f32
    }
  }
}
)");
  std::vector<float> c(4);
  EXPECT_EQ(run_on(1, kernel, c), KernelStatus::OutOfMemory);
  EXPECT_EQ(c, std::vector<float>(4));
}

TEST(TeamEntry, BuffersMayHaveNoElements) {
  const JitKernel kernel = compile_for_team(R"(
kernel k(out C: float32[4]) {
  allocate T: float32[0, 3] in panel {
    for i in [0, 4) parallel {
      C[i] = 1.0f32
      for j in [0, 0) {
        C[i] = T[j, 0]
      }
    }
  }
}
)");
  std::vector<float> c(4);
  EXPECT_EQ(run_on(2, kernel, c), KernelStatus::Ok);
  EXPECT_EQ(c, std::vector<float>(4, 1.0f));
}

TEST(TeamEntry, ARequirementThatFailsReachesTheCaller) {
  const JitKernel kernel = compile_for_team(R"(
kernel k(in N: int64[1], out C: int64[4]) requires (N[0] < 5) {
  for i in [0, N[0]) parallel {
    C[i] = 7
  }
}
)");
  std::vector<std::int64_t> n = {9};
  std::vector<std::int64_t> c(4);
  EXPECT_EQ(run_on(3, kernel, n, c), KernelStatus::RequirementFailed);
  EXPECT_EQ(c, std::vector<std::int64_t>(4));
  n[0] = 4;
  EXPECT_EQ(run_on(3, kernel, n, c), KernelStatus::Ok);
  EXPECT_EQ(c, std::vector<std::int64_t>(4, 7));
}

TEST(TeamEntry, CodeThatNeedsNoTeamHasNone) {
  const JitKernel kernel = compile_for_team("kernel k(out C: int64[1]) {\n  C[0] = 3\n}\n");
  EXPECT_FALSE(kernel.is_on_team());
  std::vector<std::int64_t> c(1);
  EXPECT_EQ(run(kernel, c), KernelStatus::Ok);
  EXPECT_EQ(c[0], 3);
}

}  // namespace
}  // namespace solway::codegen
