#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Sums of `active` lanes over eight rows in a register; `stored` says which of it go to C.
std::string sums(int active, const std::string& stored) {
  const std::string lanes = std::to_string(active);
  return R"(
kernel k(in A: float32[8, 4], in R: float32[4], out C: float32[4]) {
  allocate S: float32[4] in register {
    vstore(S[0], 4) = vload(R[0], 4)
    for r in [0, 8) {
      vstore(S[0], 4) = select((ramp(0, 1, 4) < broadcast()" +
         lanes + ", 4)), (vload(S[0], 4, active " + lanes + ") + vload(A[r, 0], 4, active " +
         lanes + R"()), vload(S[0], 4))
    }
    vstore(C[0], 4)" +
         stored + R"() = vload(S[0], 4)
  }
}
)";
}

std::vector<float> run_sums(const JitKernel& kernel) {
  std::vector<float> a(32);
  for (int k = 0; k < 32; ++k) a[k] = static_cast<float>(k);
  std::vector<float> r = {1000, 2000, 3000, 4000};
  std::vector<float> c(4, -1.0f);
  EXPECT_EQ(run(kernel, a, r, c), KernelStatus::Ok);
  return c;
}

TEST(DropDeadLanes, NothingIsChosenWhereOnlyActiveLanesAreStored) {
  const JitKernel kernel = compile_text(sums(3, ", active 3"));
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("shufflevector"))) << kernel.llvm_ir();
  EXPECT_EQ(run_sums(kernel), (std::vector<float>{1112, 2120, 3128, -1}));
}

TEST(DropDeadLanes, FewerLanesMayBeStoredThanAreActive) {
  const JitKernel kernel = compile_text(sums(3, ", active 1"));
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("shufflevector"))) << kernel.llvm_ir();
  EXPECT_EQ(run_sums(kernel), (std::vector<float>{1112, -1, -1, -1}));
}

TEST(DropDeadLanes, SumsThatStartAnewUseNothingOfTheSumsBefore) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[16, 4], out C: float32[2, 4]) {
  allocate S: float32[4] in register {
    for b in [0, 2) {
      vstore(S[0], 4) = select((ramp(0, 1, 4) < broadcast(1, 4)), broadcast(0.0f32, 4), vload(S[0], 4))
      for r in [0, 8) {
        vstore(S[0], 4) = select((ramp(0, 1, 4) < broadcast(1, 4)), (vload(S[0], 4, active 1) + vload(A[((b * 8) + r), 0], 4, active 1)), vload(S[0], 4))
      }
      vstore(C[b, 0], 4, active 1) = vload(S[0], 4, active 1)
    }
  }
}
)");
  EXPECT_THAT(kernel.llvm_ir(), Not(HasSubstr("shufflevector"))) << kernel.llvm_ir();
  std::vector<float> a(64);
  for (int k = 0; k < 64; ++k) a[k] = static_cast<float>(k);
  std::vector<float> c(8, -1.0f);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  EXPECT_EQ(c, (std::vector<float>{112, -1, -1, -1, 368, -1, -1, -1}));
}

TEST(DropDeadLanes, LanesThatAreStoredKeepWhatTheyHeld) {
  const JitKernel kernel = compile_text(sums(3, ""));
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("shufflevector")) << kernel.llvm_ir();
  EXPECT_EQ(run_sums(kernel), (std::vector<float>{1112, 2120, 3128, 4000}));
}

TEST(DropDeadLanes, LanesMayBeUsedThatAreNotActive) {
  const JitKernel kernel = compile_text(sums(2, ", active 3"));
  EXPECT_THAT(kernel.llvm_ir(), HasSubstr("shufflevector")) << kernel.llvm_ir();
  EXPECT_EQ(run_sums(kernel), (std::vector<float>{1112, 2120, 3000, -1}));
}

TEST(DropDeadLanes, IntegersAreNotDividedByWhatNothingUses) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: int32[8, 4], in R: int32[4], out C: int32[4]) {
  allocate S: int32[4] in register {
    vstore(S[0], 4) = vload(R[0], 4)
    for r in [0, 8) {
      vstore(S[0], 4) = select((ramp(0, 1, 4) < broadcast(3, 4)), (vload(A[r, 0], 4) // vload(S[0], 4)), vload(S[0], 4))
    }
    vstore(C[0], 4, active 3) = vload(S[0], 4)
  }
}
)");
  std::vector<std::int32_t> a(32, 6);
  a[3] = 0;  // what lane 3 would be divided by in the next step
  std::vector<std::int32_t> r = {1, 2, 3, 1};
  std::vector<std::int32_t> c(4, -1);
  ASSERT_EQ(run(kernel, a, r, c), KernelStatus::Ok);
  EXPECT_EQ(c, (std::vector<std::int32_t>{1, 2, 3, -1}));
}

}  // namespace
}  // namespace solway::codegen
