#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/detail/vector_engine/compile_engine.h"

namespace solway::codegen {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(ComputeInWords, SumsNeedNoneOfTheBitsAbove) {
  const std::string ir = engine_ir("vstore(T[0], 256) = (vload(S[0], 256) * vload(S[256], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmulswsx.vvvl("));
  EXPECT_THAT(ir, Not(HasSubstr("<256 x i16>")));
}

TEST(ComputeInWords, ComparisonsTakeTheSign) {
  const std::string ir = engine_ir(
      "vstore(Q[0], 256) = select(((vload(P[0], 256) + vload(P[256], 256)) < vload(P[512], 256)), "
      "vload(P[0], 256), vload(P[256], 256))");
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vsral.vvsl\\([^)]*, i64 56, "));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vcmpswsx.vvvl("));
}

TEST(ComputeInWords, BytesWithoutASignHaveZerosAbove) {
  const std::string ir = engine_ir("vstore(C[0], 256) = float32(vload(U[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vand.vsvl(i64 255,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vcvtsw.vvl("));
  EXPECT_THAT(ir, Not(HasSubstr("vsral")));
}

TEST(ComputeInWords, FloatsAreBoundedByWhatATypeHolds) {
  const std::string ir = engine_ir("vstore(V[0], 256) = uint8(vload(A[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vcvtwdsxrz.vvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vminswsx.vsvl(i32 255,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmaxswsx.vsvl(i32 0,"));
}

TEST(ComputeInWords, ConditionsAreStoredAsOnesAndZeros) {
  const std::string ir = engine_ir("vstore(Y[0], 256) = (vload(A[0], 256) < vload(B[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmrg.vsvml(i64 0,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vstl.vssl("));
}

TEST(ComputeInWords, LoopsCarryWords) {
  const std::string ir = engine_ir(R"(
    allocate K: int8[256] in register {
      vstore(K[0], 256) = broadcast(-128i8, 256)
      for r in [0, 3) {
        vstore(K[0], 256) = max(vload(K[0], 256), vload(P[(r * 256)], 256))
      }
      vstore(Q[0], 256) = vload(K[0], 256)
    })");
  EXPECT_THAT(ir, HasSubstr("phi <256 x double>"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmaxswsx.vvvl("));
}

TEST(ComputeInWords, HalvesBecomeFloatsByTheirBits) {
  const std::string ir = engine_ir("vstore(W[0], 256) = bfloat16(vload(A[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmksnan.mvl("));
  EXPECT_THAT(ir, Not(HasSubstr("<512 x i16>")));
}

}  // namespace
}  // namespace solway::codegen
