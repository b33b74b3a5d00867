#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

TEST(StmtEmitter, BoundsAreEvaluatedOnceAndMayBeEmpty) {
  const JitKernel kernel = compile_text(R"(
kernel k(inout N: int64[2], out C: int64[1]) {
  C[0] = 0
  for i in [N[0], N[1]) {
    N[1] = 0
    C[0] = (C[0] + i)
  }
}
)");
  const auto result = [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> n = {begin, end};
    std::vector<std::int64_t> c(1);
    EXPECT_EQ(run(kernel, n, c), KernelStatus::Ok);
    return c[0];
  };
  EXPECT_EQ(result(2, 6), 2 + 3 + 4 + 5);
  EXPECT_EQ(result(6, 6), 0);
  EXPECT_EQ(result(7, 6), 0);
  EXPECT_EQ(result(INT64_MAX - 1, INT64_MAX), INT64_MAX - 1);
}

TEST(StmtEmitter, IfElseAndLetScopes) {
  const JitKernel kernel = compile_text(R"(
kernel k(out C: int64[4]) {
  for i in [0, 4) {
    let x = (i * 10) {
      if (i < 2) {
        let y = (x + 1) {
          C[i] = y
        }
      } else {
        C[i] = x
      }
      if (i == 3) {
        C[i] = (C[i] + x)
      }
    }
  }
}
)");
  std::vector<std::int64_t> c(4);
  ASSERT_EQ(run(kernel, c), KernelStatus::Ok);
  EXPECT_EQ(c, (std::vector<std::int64_t>{1, 11, 20, 60}));
}

TEST(StmtEmitter, EveryLoopKindRunsAndSaysHow) {
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[1], out C: int64[2, 2, 2, 2]) {
  for i in [0, 2) parallel {
    for j in [0, 2) vectorized {
      for u in [0, 2) unrolled {
        for v in [0, N[0]) unrolled {
          C[i, j, u, v] = ((((i * 8) + (j * 4)) + (u * 2)) + v)
        }
      }
    }
  }
}
)");
  std::vector<std::int64_t> n = {2};
  std::vector<std::int64_t> c(16);
  ASSERT_EQ(run(kernel, n, c), KernelStatus::Ok);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(c[i], i);
  std::vector<std::string> remarks;
  for (const Remark& remark : kernel.remarks()) {
    remarks.push_back(remark.step + ": " + remark.verdict + ": " + remark.why);
  }
  EXPECT_EQ(remarks, (std::vector<std::string>{
                         "for v unrolled: stays a loop: its bounds are not constant",
                         "for j vectorized: runs one element at a time: no pass made vector forms "
                         "of it",
                         "for i parallel: runs on one thread: the code for this target has no "
                         "threads",
                     }));
}

TEST(StmtEmitter, UnrolledLoopsHaveNoBranchLeft) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[16], out C: float32[16]) {
  for i in [0, 16) unrolled {
    C[i] = (A[i] + 1.0f32)
  }
}
)");
  EXPECT_EQ(kernel.llvm_ir().find("br i1"), std::string::npos);
  EXPECT_EQ(kernel.llvm_ir().find("x float>"), std::string::npos) << "somebody vectorised";
}

}  // namespace
}  // namespace solway::codegen
