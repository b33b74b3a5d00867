#include "lowering/allocate_buffers.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

std::string allocated(const std::string& text) {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {64, 8});
  scope.buffers["AA"] = ir::make_buffer("AA", DType::Float32, {8}, "ldm");
  return ir::to_string(allocate_in_parallel(ir::parse_stmt(text, scope), scope.buffers.at("AA")));
}

TEST(AllocateInParallel, GivesEveryCoreItsOwn) {
  EXPECT_EQ(allocated("for i in [0, 64) parallel { for j in [0, 8) { AA[j] = A[i, j] } }"),
            "for i in [0, 64) parallel {\n"
            "  allocate AA: float32[8] in ldm {\n"
            "    for j in [0, 8) {\n"
            "      AA[j] = A[i, j]\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(AllocateInParallel, TakesTheInnermostParallelLoopAroundAllUses) {
  EXPECT_EQ(allocated("for i in [0, 64) parallel {\n"
                      "  A[i, 0] = 0.0f32\n"
                      "  for j in [0, 8) {\n"
                      "    for p in [0, 2) parallel { AA[j] = 1.0f32 A[i, p] = AA[j] } } }"),
            "for i in [0, 64) parallel {\n"
            "  A[i, 0] = 0.0f32\n"
            "  for j in [0, 8) {\n"
            "    for p in [0, 2) parallel {\n"
            "      allocate AA: float32[8] in ldm {\n"
            "        AA[j] = 1.0f32\n"
            "        A[i, p] = AA[j]\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(AllocateInParallel, StaysOutsideOfTwoLoopsThatShareIt) {
  EXPECT_EQ(allocated("for i in [0, 8) parallel { AA[i] = 0.0f32 }\n"
                      "for i in [0, 8) parallel { A[0, i] = AA[i] }"),
            "allocate AA: float32[8] in ldm {\n"
            "  for i in [0, 8) parallel {\n"
            "    AA[i] = 0.0f32\n"
            "  }\n"
            "  for i in [0, 8) parallel {\n"
            "    A[0, i] = AA[i]\n"
            "  }\n"
            "}\n");
}

TEST(AllocateInParallel, SurroundsASerialBody) {
  EXPECT_EQ(allocated("for j in [0, 8) { if (j < 4) { AA[j] = 0.0f32 } else { AA[j] = 1.0f32 } }")
                .substr(0, 33),
            "allocate AA: float32[8] in ldm {\n");
}

TEST(AllocateInVectorized, GivesEveryIterationItsOwn) {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {64, 8});
  scope.buffers["AA"] = ir::make_buffer("AA", DType::Float32, {1}, "register");
  const auto run = [&](const std::string& text) {
    return ir::to_string(
        allocate_in_vectorized(ir::parse_stmt(text, scope), scope.buffers.at("AA")));
  };
  const std::string loop =
      "for i in [0, 64) vectorized {\n"
      "  allocate AA: float32[1] in register {\n"
      "    for k in [0, 8) {\n"
      "      AA[0] = (AA[0] + A[i, k])\n"
      "    }\n"
      "  }\n"
      "}\n";
  const std::string before =
      "for i in [0, 64) vectorized { for k in [0, 8) { AA[0] = (AA[0] + A[i, k]) } }";
  EXPECT_EQ(run(before), loop);
  // A loop that was cut has it twice.
  EXPECT_EQ(run(before + " " + before), loop + loop);
  // One iteration alone has no loop.
  EXPECT_EQ(
      run("A[0, 0] = 0.0f32 AA[0] = 0.0f32 A[0, 2] = 1.0f32 A[0, 1] = AA[0] A[0, 3] = 2.0f32 " +
          before),
      "A[0, 0] = 0.0f32\n"
      "allocate AA: float32[1] in register {\n"
      "  AA[0] = 0.0f32\n"
      "  A[0, 2] = 1.0f32\n"
      "  A[0, 1] = AA[0]\n"
      "}\n"
      "A[0, 3] = 2.0f32\n" +
          loop);
  const ir::Stmt other = ir::parse_stmt("for i in [0, 64) vectorized { A[i, 0] = 0.0f32 }", scope);
  EXPECT_TRUE(allocate_in_vectorized(other, scope.buffers.at("AA")).same_as(other));
}

}  // namespace
}  // namespace solway::lowering
