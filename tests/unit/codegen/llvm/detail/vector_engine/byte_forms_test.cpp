#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/detail/vector_engine/compile_engine.h"

namespace solway::codegen {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(ByteForms, ElementsAreTakenOutOfTheWordsThatTheyLieIn) {
  const std::string ir = engine_ir("vstore(J[0], 256) = int32(vload(P[3], 256, stride 5))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vmulsl.vsvl(i64 5,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vand.vsvl(i64 -8,"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vgt.vvssl("));
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vsll.vvsl\\([^)]*, i64 3, i32 256\\)"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vsrl.vvvl("));
}

TEST(ByteForms, ARestReadsNoMoreThanItsElements) {
  const std::string ir =
      engine_ir("vstore(J[0], 256, active 9) = int32(vload(S[0], 256, active 9))");
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vgt.vvssl\\([^)]*, i32 9\\)"));
  EXPECT_THAT(ir, Not(HasSubstr("i32 256)")));
}

TEST(ByteForms, FourBytesAreStoredAsAWord) {
  const std::string ir = engine_ir("vstore(Q[0], 256) = int8(vload(I[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vldlzx.vssl(i64 16,"));
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vsll.vvsl\\([^)]*, i64 24, "));
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vstl.vssl\\([^)]*, i64 4, ptr"));
  // What does not fill a word: up to three on each side.
  std::size_t stores = 0;
  for (std::size_t at = ir.find("store i8"); at != std::string::npos;
       at = ir.find("store i8", at + 1)) {
    ++stores;
  }
  EXPECT_EQ(stores, 6U);
}

TEST(ByteForms, TwoShortsAreStoredAsAWord) {
  const std::string ir = engine_ir("vstore(T[0], 256) = int16(vload(I[0], 256))");
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vldlzx.vssl(i64 8,"));
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vsll.vvsl\\([^)]*, i64 16, "));
  EXPECT_THAT(ir, Not(HasSubstr("store i8")));
}

}  // namespace
}  // namespace solway::codegen
