#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/detail/vector_engine/compile_engine.h"

namespace solway::codegen {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(ActiveLengths, AStoreOfSomeLanesNeedsNoMore) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256, active 44) = sqrt((vload(A[0], 256, active 44) * vload(B[0], 256, active "
      "44)))");
  EXPECT_THAT(ir, ContainsRegex("vldu.vssl\\(i64 4, ptr[^,]* %A, i32 44\\)"));
  EXPECT_THAT(ir, ContainsRegex("vfmuls.vvvl\\([^)]*, i32 44\\)"));
  EXPECT_THAT(ir, ContainsRegex("vfsqrts.vvl\\([^)]*, i32 44\\)"));
  EXPECT_THAT(ir, ContainsRegex("vstu.vssl\\([^)]*, i32 44\\)"));
}

TEST(ActiveLengths, TheLongestUseDecides) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256, active 44) = (vload(A[0], 256) * broadcast(2.0f32, 256))\n"
      "vstore(C[256], 256, active 60) = (vload(A[0], 256) * broadcast(2.0f32, 256))");
  EXPECT_THAT(ir, ContainsRegex("vfmuls.vsvl\\([^)]*, i32 60\\)|vfadds.vvvl\\([^)]*, i32 60\\)"));
}

TEST(ActiveLengths, ANumberThatACallGivesIsALength) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256, active n[0]) = (vload(A[0], 256, active n[0]) * vload(B[0], 256, active "
      "n[0]))");
  EXPECT_THAT(ir, ContainsRegex("vfmuls.vvvl\\([^)]*, i32 %[a-z0-9.]+\\)"));
  EXPECT_THAT(ir, Not(HasSubstr("i32 256)")));
}

TEST(ActiveLengths, SumsOfALoopAreAsShortAsTheirStore) {
  const std::string ir = engine_ir(R"(
    allocate S: float32[256] in register {
      vstore(S[0], 256) = broadcast(0.0f32, 256)
      for r in [0, 3) {
        vstore(S[0], 256) = select((ramp(0, 1, 256) < broadcast(9, 256)), (vload(S[0], 256) + vload(A[(r * 256)], 256, active 9)), vload(S[0], 256))
      }
      vstore(C[0], 256, active 9) = vload(S[0], 256)
    })");
  EXPECT_THAT(ir, ContainsRegex("vfadds.vvvl\\([^)]*, i32 9\\)"));
  EXPECT_THAT(ir, Not(ContainsRegex("vfadds.vvvl\\([^)]*, i32 256\\)")));
}

TEST(ActiveLengths, LanesBehindKeepWhatTheyHold) {
  const std::string ir = engine_ir(
      "vstore(C[0], 256) = select((ramp(0, 1, 256) < broadcast(9, 256)), (vload(A[0], 256) * "
      "vload(B[0], 256)), vload(B[0], 256))");
  EXPECT_THAT(ir, ContainsRegex("vfmuls.vvvvl\\([^)]*, i32 9\\)"));  // over the others
  EXPECT_THAT(ir, ContainsRegex("vstu.vssl\\([^)]*, i32 256\\)"));
}

TEST(ActiveLengths, LanesThatChangeNothingAreNotCombined) {
  const std::string ir = engine_ir(
      "C[0] = reduce_sum(select((ramp(0, 1, 256) < broadcast(9, 256)), vload(A[0], 256, active 9), "
      "broadcast(0.0f32, 256)))");
  EXPECT_THAT(ir, ContainsRegex("vfsums.vvl\\([^)]*, i32 9\\)"));
  const std::string others = engine_ir(
      "C[0] = reduce_sum(select((ramp(0, 1, 256) < broadcast(9, 256)), vload(A[0], 256, active 9), "
      "broadcast(1.0f32, 256)))");
  EXPECT_THAT(others, ContainsRegex("vfsums.vvl\\([^)]*, i32 256\\)"));
}

}  // namespace
}  // namespace solway::codegen
