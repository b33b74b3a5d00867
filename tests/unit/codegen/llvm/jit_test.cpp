#include "codegen/llvm/jit.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

TEST(JitKernelTest, Runs) {
  const auto kernel = JitKernel::compile(ir::parse_kernel(R"(
kernel axpy(in A: float32[8], out C: float32[8]) {
  for i in [0, 8) {
    C[i] = ((A[i] * 2.0f32) + 1.0f32)
  }
}
)"));
  float a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float c[8] = {};
  void* args[] = {a, c};
  EXPECT_EQ(kernel.entry()(args), 0);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(c[i], 2.0f * i + 1.0f);
}

}  // namespace
}  // namespace solway::codegen
