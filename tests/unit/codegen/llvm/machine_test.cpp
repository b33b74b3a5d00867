#include "codegen/llvm/machine.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

TEST(Machine, OlderCpus) {
  for (const std::string cpu : {"x86-64", "x86-64-v2", "x86-64-v3"}) {
    LlvmOptions options;
    options.cpu = cpu;
    const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[11], out C: float32[11]) {
  for i in [0, 2) {
    vstore(C[(i * 8)], 8, active (11 - (i * 8))) = floor(vload(A[(i * 8)], 8, active (11 - (i * 8))))
  }
}
)",
                                          options);
    std::vector<float> a = {0.5f, -0.5f, 1, 2, 3.7f, -4.2f, 6, 7, 8, 9.9f, -10.1f};
    std::vector<float> c(11);
    ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok) << cpu;
    EXPECT_EQ(c, (std::vector<float>{0, -1, 1, 2, 3, -5, 6, 7, 8, 9, -11})) << cpu;
  }
}

TEST(Machine, RefusesAnUnknownCpu) {
  LlvmOptions options;
  options.cpu = "sw26010";
  try {
    compile_text("kernel k() {\n}\n", options);
    FAIL() << "no error";
  } catch (const UnsupportedError& e) {
    EXPECT_NE(e.report().why.find("LLVM knows no cpu 'sw26010'"), std::string::npos);
  }
}

TEST(Machine, RefusesInstructionsThatThisMachineLacks) {
  LlvmOptions options;
  options.features = "+amx-fp16";
  try {
    compile_text("kernel k() {\n}\n", options);
    GTEST_SKIP() << "this machine has amx-fp16";
  } catch (const UnsupportedError& e) {
    EXPECT_NE(e.report().why.find("which this machine lacks"), std::string::npos);
  }
}

}  // namespace
}  // namespace solway::codegen
