#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/llvm/object_code.h"
#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two scalable sums, of which `access` names one in the loop.
std::string assembly(const std::string& access) {
  LlvmOptions options;
  options.triple = "aarch64-linux-gnu";
  options.cpu = "generic";
  options.features = "+sve";
  const std::string text =
      "kernel k(in A: float32[640], out C: float32[64]) {\n"
      "  allocate S: float32[2, vscale*4] in register {\n"
      "    vstore(S[0, 0], vscale*4) = broadcast(0.0f32, vscale*4)\n"
      "    vstore(S[1, 0], vscale*4) = broadcast(1.0f32, vscale*4)\n"
      "    for i in [0, 10) {\n"
      "      vstore(" +
      access + ", vscale*4) = (vload(" + access +
      ", vscale*4) + vload(A[(i * 64)], vscale*4))\n"
      "    }\n"
      "    vstore(C[0], vscale*4) = (vload(S[0, 0], vscale*4) * vload(S[1, 0], vscale*4))\n"
      "  }\n"
      "}\n";
  return compile_object(ir::parse_kernel(text), options).assembly();
}

TEST(StackMemory, ScalableVectorsOfConstantIndicesAreRegisters) {
  EXPECT_THAT(assembly("S[1, 0]"), Not(HasSubstr("[sp")));
}

TEST(StackMemory, OthersLieOneAfterTheOther) {
  const std::string text = assembly("S[(i % 2), 0]");
  EXPECT_THAT(text, HasSubstr("rdvl\t"));  // their number of bytes
  EXPECT_THAT(text, HasSubstr("mov\tsp, x"));
}

}  // namespace
}  // namespace solway::codegen
