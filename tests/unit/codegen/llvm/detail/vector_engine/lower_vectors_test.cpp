#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/codegen/llvm/detail/vector_engine/compile_engine.h"

namespace solway::codegen {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(LowerVectors, FloatsLieInTheUpperHalf) {
  const std::string ir = engine_ir("vstore(C[0], 256) = (vload(A[0], 256) + vload(B[0], 256))");
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vldu.vssl\\(i64 4, ptr[^,]* %A, i32 256\\)"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfadds.vvvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vstu.vssl("));
  EXPECT_THAT(ir, Not(HasSubstr("<256 x float>")));
}

TEST(LowerVectors, NumbersAreOperands) {
  const std::string ir = engine_ir(
      "vstore(E[0], 256) = ((vload(D[0], 256) * broadcast(D[700], 256)) + broadcast(2.0f64, 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmadd.vsvvl(double 2.0"));
  const std::string quotient =
      engine_ir("vstore(C[0], 256) = (broadcast(1.0f32, 256) / vload(A[0], 256))");
  EXPECT_THAT(quotient, HasSubstr("@llvm.ve.vl.vfdivs.vsvl(float 1.0"));
}

TEST(LowerVectors, ChoicesAreMergedByMasks) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256) = select((vload(A[0], 256) < vload(B[0], 256)), vload(A[0], 256), "
      "broadcast(0.0f32, 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfcmps.vvvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmkslt.mvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmrg.vsvml(i64 0,"));
}

TEST(LowerVectors, NumbersAreComparedWithZeroByTheirSign) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256) = select((vload(A[0], 256) >= broadcast(0.0f32, 256)), vload(A[0], 256), "
      "vload(B[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmksge.mvl("));
  EXPECT_THAT(ir, Not(HasSubstr("vfcmps")));
}

TEST(LowerVectors, ExtremesLookForNan) {
  const std::string ir = engine_ir("vstore(C[0], 256) = max(vload(A[0], 256), vload(B[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmksnan.mvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.orm.mmm("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmrg.vvvml("));
}

TEST(LowerVectors, IntegersLieInTheLowerHalf) {
  const std::string ir = engine_ir("vstore(J[0], 256) = (vload(I[0], 256) * vload(I[256], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vldlsx.vssl(i64 4"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmulswsx.vvvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vstl.vssl("));
  const std::string wide = engine_ir("vstore(M[0], 256) = (vload(L[0], 256) + vload(L[256], 256))");
  EXPECT_THAT(wide, HasSubstr("@llvm.ve.vl.vaddsl.vvvl("));
}

TEST(LowerVectors, ConversionsMoveHalves) {
  EXPECT_THAT(engine_ir("vstore(E[0], 256) = float64(vload(A[0], 256))"),
              HasSubstr("@llvm.ve.vl.vcvtds.vvl("));
  EXPECT_THAT(engine_ir("vstore(C[0], 256) = float32(vload(I[0], 256))"),
              HasSubstr("@llvm.ve.vl.vcvtsw.vvl("));
  EXPECT_THAT(engine_ir("vstore(M[0], 256) = int64(vload(I[0], 256))"),
              HasSubstr("@llvm.ve.vl.vaddswsx.vsvl(i32 0,"));
  // The exponent of exp is made of the bits of a float.
  const std::string exponential = engine_ir("vstore(C[0], 256) = exp(vload(A[0], 256))");
  EXPECT_THAT(exponential, ContainsRegex("@llvm.ve.vl.vsrl.vvsl\\([^)]*, i64 32, i32 256\\)"));
  EXPECT_THAT(exponential, HasSubstr("@llvm.ve.vl.vfmads.vvsvl("));
}

TEST(LowerVectors, AnyStrideIsOneInstruction) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256, stride 2) = vload(A[0], 256, stride 3)\n"
      "vstore(J[0], 256) = vload(I[600], 256, stride -1)");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vldu.vssl(i64 12,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vstu.vssl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vldlsx.vssl(i64 -4,"));
  EXPECT_THAT(ir, Not(ContainsRegex("v(gt|sc)u")));
}

TEST(LowerVectors, LanesAreCombinedByInstructions) {
  const std::string ir = engine_ir(
      "C[0] = reduce_sum(vload(A[0], 256))\n"
      "C[1] = reduce_max(vload(A[0], 256))\n"
      "J[0] = reduce_min(vload(I[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfsums.vvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfrmaxsfst.vvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.pcvm.sml("));  // of NaN
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vrminswfstsx.vvl("));
}

TEST(LowerVectors, PositionsAreNumbered) {
  const std::string ir = engine_ir("vstore(M[0], 256) = (vload(L[0], 256) + ramp(5, 3, 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vseq.vl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmulsl.vsvl(i64 3,"));
}

TEST(LowerVectors, VectorsOfOtherLengthsAreLeftAlone) {
  EXPECT_THAT(engine_ir("C[0] = (A[0] + 1.0f32)"), Not(HasSubstr("llvm.ve.vl")));
}

TEST(LowerVectors, ProductsOfLanesTakeHalves) {
  const std::string ir = engine_ir("C[0] = reduce_prod(vload(A[0], 256))");
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vmv.vsvl\\(i32 128, [^)]*, i32 256\\)"));
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vfmuls.vvvvl\\([^)]*, i32 128\\)"));
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vmv.vsvl\\(i32 1, [^)]*, i32 2\\)"));
  const std::string part = engine_ir(
      "J[0] = reduce_prod(select((ramp(0, 1, 256) < broadcast(5, 256)), vload(I[0], 256, active "
      "5), broadcast(1i32, 256)))");
  EXPECT_THAT(part, ContainsRegex("@llvm.ve.vl.vmv.vsvl\\(i32 3, [^)]*, i32 5\\)"));
  EXPECT_THAT(part, ContainsRegex("@llvm.ve.vl.vmulswsx.vvvvl\\([^)]*, i32 2\\)"));
}

TEST(LowerVectors, WhatHasNoFormIsAnErrorOfOurs) {
  try {
    engine_ir("vstore(C[0], 256) = broadcast(vload(A[0], 128), 256)");
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("the vector engine has no form of"));
  }
}

}  // namespace
}  // namespace solway::codegen
