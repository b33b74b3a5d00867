#include "codegen/llvm/detail/module_code.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen::detail {
namespace {

using testing::HasSubstr;
using testing::Not;

/// C[r, :] = sum over k of A[k, r] * B[k, :], of 12 rows of 16 lanes that registers hold.
constexpr const char* kSums = R"(
kernel k(in A: float32[64, 12], in B: float32[64, 16], out C: float32[12, 16]) {
  allocate R: float32[12, 16] in register {
    for k in [0, 64) {
      for r in [0, 12) unrolled {
        vstore(R[r, 0], 16) = (vload(R[r, 0], 16) + (broadcast(A[k, r], 16) * vload(B[k, 0], 16)))
      }
    }
    for r in [0, 12) { vstore(C[r, 0], 16) = vload(R[r, 0], 16) }
  }
}
)";

ModuleCode compiled(const std::string& kernel) {
  LlvmOptions options;
  options.cpu = "x86-64-v4";
  options.triple = "x86_64-linux-gnu";
  return compile_module(ir::parse_kernel(kernel), options, RuntimeCalls::Inside);
}

TEST(ModuleCode, WhatFitsTheRegistersIsOrderedByLlvm) {
  const ModuleCode made = compiled(kSums);
  EXPECT_THAT(made.llvm_ir, Not(HasSubstr("solway-source-order")));
  EXPECT_TRUE(made.remarks.empty());
}

}  // namespace
}  // namespace solway::codegen::detail
