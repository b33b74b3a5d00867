#include "codegen/athread/assembly/instruction.h"

#include <gtest/gtest.h>

namespace solway::codegen::assembly {
namespace {

TEST(AssemblyInstruction, PrintsEachForm) {
  EXPECT_EQ(to_string({Opcode::Vlds, 1, {16}, -16, {}, "C"}), "vlds $1,-16($16)");
  EXPECT_EQ(to_string({Opcode::Vstd, {}, {2, kStackPointer}, 32, {}, "C"}), "vstd $2,32($sp)");
  EXPECT_EQ(to_string({Opcode::Vmad, 4, {1, 2, 3}, 0, {}, {}}), "vmad $1,$2,$3,$4");
  EXPECT_EQ(to_string({Opcode::Ldi, 5, {kZero}, 7, {}, {}}), "ldi $5,7($31)");
  EXPECT_EQ(to_string({Opcode::Subw, 5, {6}, 1, {}, {}}), "subw $6,1,$5");
  EXPECT_EQ(to_string({Opcode::Mov, 5, {6}, 0, {}, {}}), "mov $6,$5");
  EXPECT_EQ(to_string({Opcode::Bgt, {}, {5}, 0, ".next", {}}), "bgt $5,.next");
  EXPECT_EQ(to_string({Opcode::Ret, {}, {}, 0, {}, {}}), "ret $31,($26),1");
}

TEST(AssemblyInstruction, HasThePipesAndLatenciesOfTheCore) {
  const Latencies latencies{4, 7};
  EXPECT_EQ(pipe_of(Opcode::Vmas), Pipe::Zero);
  EXPECT_EQ(pipe_of(Opcode::Ldde), Pipe::One);
  EXPECT_EQ(pipe_of(Opcode::Stl), Pipe::One);
  EXPECT_EQ(pipe_of(Opcode::Bgt), Pipe::One);
  EXPECT_EQ(pipe_of(Opcode::Ldi), Pipe::Either);
  EXPECT_EQ(latency_of(Opcode::Vmas, latencies), 7);
  EXPECT_EQ(latency_of(Opcode::Ldse, latencies), 4);
  EXPECT_EQ(latency_of(Opcode::Subw, latencies), 1);
  EXPECT_TRUE(is_store(Opcode::Vsts));
  EXPECT_FALSE(is_store(Opcode::Vlds));
  EXPECT_TRUE(is_branch(Opcode::Ble));
}

}  // namespace
}  // namespace solway::codegen::assembly
