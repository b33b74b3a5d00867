#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/llvm/object_code.h"
#include "support/error.h"

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string assembly(const std::string& statement, const std::string& machine) {
  LlvmOptions options;
  options.triple = machine + "-linux-gnu";
  options.cpu = machine == "riscv64" ? "generic-rv64" : "generic";
  options.features = machine == "riscv64" ? "+m,+a,+f,+d,+c,+v" : "+sve";
  return compile_object(ir::parse_kernel("kernel k(in A: float32[64], in n: int64[1], inout C: "
                                         "float32[64]) {\n" +
                                         statement + "\n}\n"),
                        options)
      .assembly();
}

TEST(Lanes, ScalableOnesAreWholeRegisters) {
  const std::string whole =
      "vstore(C[0], vscale*4) = (vload(A[0], vscale*4) + vload(C[0], vscale*4))";
  EXPECT_THAT(assembly(whole, "aarch64"), HasSubstr("fadd\tz"));
  EXPECT_THAT(assembly(whole, "riscv64"), HasSubstr("vfadd.vv"));
  EXPECT_THAT(assembly("C[0] = float32(vscale())", "aarch64"), HasSubstr("rbit"));
  EXPECT_THAT(assembly("C[0] = float32(vscale())", "riscv64"), HasSubstr("vlenb"));
}

TEST(Lanes, ActiveOnesHaveAMask) {
  const std::string part =
      "vstore(C[0], vscale*4, active n[0]) = vload(A[0], vscale*4, active n[0])";
  EXPECT_THAT(assembly(part, "aarch64"), HasSubstr("whilelo\tp"));
  EXPECT_THAT(assembly(part, "riscv64"), HasSubstr("v0.t"));
  // The same mask as an expression.
  EXPECT_THAT(assembly("vstore(C[0], vscale*4) = select((ramp(0, 1, vscale*4) < broadcast(n[0], "
                       "vscale*4)), vload(A[0], vscale*4), vload(C[0], vscale*4))",
                       "aarch64"),
              HasSubstr("whilelo\tp"));
}

TEST(Lanes, ScalableOnesAreCombinedByTheProcessorWhereItCan) {
  const auto combined = [](const std::string& op) {
    return assembly("C[0] = reduce_" + op + "(vload(A[0], vscale*4))", "aarch64");
  };
  EXPECT_THAT(combined("sum"), HasSubstr("faddv"));
  EXPECT_THAT(combined("max"), HasSubstr("fmaxv"));
  EXPECT_THAT(combined("min"), HasSubstr("fminv"));
  EXPECT_THAT(combined("prod"), HasSubstr("fmul\ts"));  // one after the other
}

TEST(Lanes, FunctionsWithoutAVectorFormAreCalledPerLane) {
  const std::string text =
      assembly("vstore(C[0], vscale*4) = float32(sin(float64(vload(A[0], vscale*4))))", "aarch64");
  EXPECT_THAT(text, HasSubstr("bl\tsolway_sin_f64"));
  EXPECT_THAT(text, HasSubstr("st1w"));
}

TEST(Lanes, ScalableOnesAreRefusedWhereTheMachineHasNone) {
  for (const std::string statement :
       {"vstore(C[0], vscale*4) = broadcast(1.0f32, vscale*4)", "C[vscale()] = 0.0f32",
        "vstore(C[0], vscale*4) = float32(ramp(0, 1, vscale*4))"}) {
    try {
      compile_text("kernel k(out C: float32[64]) {\n  " + statement + "\n}\n");
      ADD_FAILURE() << "no error";
    } catch (const UnsupportedError& e) {
      EXPECT_EQ(e.report().why, "the machine's vectors have a fixed number of lanes");
    }
  }
}

TEST(Lanes, FixedOnesKeepTheirMasks) {
  const JitKernel kernel = compile_text(
      "kernel k(in A: float32[8], in n: int64[1], inout C: float32[8]) {\n"
      "  vstore(C[0], 8) = select((ramp(0, 1, 8) < broadcast(n[0], 8)), vload(A[0], 8), "
      "vload(C[0], "
      "8))\n}\n");
  for (std::int64_t n : {-3, 0, 5, 8, 1000}) {
    std::vector<float> a(8, 2.0f);
    std::vector<std::int64_t> count = {n};
    std::vector<float> c(8, 1.0f);
    ASSERT_EQ(run(kernel, a, count, c), KernelStatus::Ok);
    for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(c[lane], lane < n ? 2.0f : 1.0f) << n;
  }
  const JitKernel all = compile_text(
      "kernel k(inout C: float32[8]) {\n"
      "  vstore(C[0], 8) = select((ramp(0, 1, 8) < broadcast(9, 8)), broadcast(2.0f32, 8), "
      "vload(C[0], 8))\n}\n");
  std::vector<float> c(8, 1.0f);
  ASSERT_EQ(run(all, c), KernelStatus::Ok);
  EXPECT_EQ(c, std::vector<float>(8, 2.0f));
}

}  // namespace
}  // namespace solway::codegen
