#include "codegen/llvm/emit_llvm.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(EmitLlvm, EntrySymbolAvoidsTheCLibrary) {
  ir::Kernel kernel;
  kernel.name = "conv";
  EXPECT_EQ(entry_symbol(kernel), "conv");
  kernel.name = "memcpy";
  EXPECT_EQ(entry_symbol(kernel), "memcpy_kernel");
}

TEST(EmitLlvm, NamesOfTheCLibraryAreFree) {
  for (const std::string name : {"memcpy", "floor", "exp", "malloc", "main"}) {
    const JitKernel kernel = compile_text("kernel " + name +
                                          "(in A: float32[64], out C: float32[64]) {\n"
                                          "  for i in [0, 64) {\n    C[i] = A[i]\n  }\n}\n");
    std::vector<float> a(64, 3.0f);
    std::vector<float> c(64);
    EXPECT_EQ(run(kernel, a, c), KernelStatus::Ok);
    EXPECT_EQ(c, a) << name;
  }
}

TEST(EmitLlvm, SaysWhatItKnowsOfPointers) {
  const JitKernel kernel = compile_text(R"(
kernel k(in A: float32[8] align 64, out C: float32[8]) {
  for i in [0, 8) {
    C[i] = ((A[i] * A[i]) + C[i])
  }
}
)");
  const std::string& text = kernel.llvm_ir();
  EXPECT_TRUE(contains(text, "define internal i32 @k.body(ptr noalias")) << text;
  EXPECT_TRUE(contains(text, "align 64 dereferenceable(32) %A")) << text;
  EXPECT_TRUE(contains(text, "align 4 dereferenceable(32) %C")) << text;
  EXPECT_TRUE(contains(text, "fmul contract float")) << text;
  EXPECT_TRUE(contains(text, "fadd contract float")) << text;
}

}  // namespace
}  // namespace solway::codegen
