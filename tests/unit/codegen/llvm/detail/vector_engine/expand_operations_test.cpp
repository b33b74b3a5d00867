#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/detail/vector_engine/compile_engine.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ExpandOperations, RoundingAddsANumberWithoutFractions) {
  for (const char* function : {"floor", "ceil", "round", "trunc"}) {
    const std::string ir =
        engine_ir("vstore(C[0], 256) = " + std::string(function) + "(vload(A[0], 256))");
    EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfadds.vsvl(float 0x4160000000000000")) << function;
    EXPECT_THAT(ir, Not(HasSubstr("llvm.floor"))) << function;
  }
}

TEST(ExpandOperations, ConversionsToIntegersAreBoundedFirst) {
  const std::string ir = engine_ir("vstore(J[0], 256) = int32(vload(D[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vcvtwdsxrz.vvl("));
  EXPECT_THAT(ir, HasSubstr("double 0x41E0000000000000"));  // 2^31
  EXPECT_THAT(ir, Not(HasSubstr("fptosi.sat")));
}

TEST(ExpandOperations, LongIntegersAreRoundedOnce) {
  const std::string ir = engine_ir("vstore(C[0], 256) = float32(vload(L[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vand.vsvl(i64 -2048,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vcvtdl.vvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vcvtsd.vvl("));
}

TEST(ExpandOperations, ClassesOfNumbersAreComparisons) {
  const std::string ir = engine_ir("vstore(C[0], 256) = pow(vload(A[0], 256), vload(B[0], 256))");
  EXPECT_THAT(ir, Not(HasSubstr("is.fpclass")));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmk"));
}

TEST(ExpandOperations, OtherVectorsAreLeftAlone) {
  EXPECT_THAT(engine_ir("C[0] = floor(A[0])"), Not(HasSubstr("llvm.ve.vl")));
}

}  // namespace
}  // namespace solway::codegen
