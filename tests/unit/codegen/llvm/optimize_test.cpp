#include "codegen/llvm/optimize.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

constexpr const char* kSum = R"(
kernel k(in A: float32[64, 64], out C: float32[64]) {
  for i in [0, 64) {
    C[i] = 0.0f32
    for j in [0, 64) {
      C[i] = (C[i] + A[i, j])
    }
  }
}
)";

TEST(Optimize, MakesNoVectorsAndUnrollsNothingByItself) {
  const std::string text = compile_text(kSum).llvm_ir();
  EXPECT_EQ(text.find("x float>"), std::string::npos) << text;
  std::size_t additions = 0;
  for (std::size_t at = 0; (at = text.find(" fadd ", at)) != std::string::npos; ++at) ++additions;
  EXPECT_EQ(additions, 1U) << text;
}

TEST(Optimize, CarriesAnElementThatALoopUpdatesInARegister) {
  const std::string text = compile_text(kSum).llvm_ir();
  EXPECT_NE(text.find("phi float"), std::string::npos) << text;
}

}  // namespace
}  // namespace solway::codegen
