#include "emulator/worker/decoded_instruction.h"

#include <gtest/gtest.h>

#include "support/target.h"

namespace solway::emulator {
namespace {

using Registers = std::vector<int>;

Decoding decoded(const std::string& name, std::vector<std::string> operands) {
  return decode({name, std::move(operands), {"a.s", 3}});
}

TEST(Decode, ReadsAddressesAndNumbers) {
  const auto load = decoded("vldd", {"$1", "0x600+0x20($16)"}).instruction;
  EXPECT_EQ(load.operands[1].reg, 16);
  EXPECT_EQ(load.operands[1].number, 0x620);
  EXPECT_EQ(decoded("ldi", {"$3", "0xff"}).instruction.operands[1].reg, kZeroRegister);
  EXPECT_EQ(decoded("ldl", {"$3", "table($gp)"}).instruction.operands[1].name, "table");
  EXPECT_EQ(decoded("addl", {"$1", "-8", "$2"}).instruction.operands[1].number, -8);
}

TEST(Decode, SaysWhatIsReadAndWritten) {
  const auto fused = decoded("vmad", {"$1", "$2", "$3", "$4"}).instruction;
  EXPECT_EQ(registers_read(fused), (Registers{1, 2, 3}));
  EXPECT_EQ(registers_written(fused), (Registers{4}));
  const auto store = decoded("vstd", {"$31", "0($5)"}).instruction;
  EXPECT_EQ(registers_read(store), (Registers{5}));
  EXPECT_TRUE(registers_written(store).empty());
  const auto send = decoded("lddec", {"$7", "8($4)"}).instruction;
  EXPECT_EQ(registers_read(send), (Registers{4}));
  EXPECT_EQ(registers_written(send), (Registers{7}));
  EXPECT_TRUE(registers_written(decoded("addl", {"$1", "$2", "$31"}).instruction).empty());
}

TEST(Decode, RefusesOtherOperands) {
  EXPECT_FALSE(decoded("ret", {"$31", "($26)", "1"}).problem);
  EXPECT_TRUE(decoded("vmad", {"$1", "$2", "$3"}).problem);
  EXPECT_TRUE(decoded("vmad", {"$1", "$2", "$3", "4"}).problem);
  EXPECT_TRUE(decoded("vldd", {"$1", "0($32)"}).problem);
  EXPECT_TRUE(decoded("vldd", {"$1", "0($3"}).problem);
  EXPECT_TRUE(decoded("vextf", {"$1", "$2", "$3"}).problem);
  const Decoding unknown = decoded("halt", {});
  ASSERT_TRUE(unknown.problem);
  EXPECT_TRUE(unknown.problem->is_unsupported);
  EXPECT_EQ(unknown.problem->where.line, 3);
}

TEST(TimedInstruction, HasThePipeAndLatencyOfTheMachine) {
  const MachineTiming timing = timing_of(load_target("sw26010", {}));
  const auto timed = [&](const std::string& name, std::vector<std::string> operands) {
    return timed_instruction(decoded(name, std::move(operands)).instruction, timing);
  };
  const MachineInstruction load = timed("ldde", {"$8", "0($17)"});
  EXPECT_EQ(load.pipe, Pipe::One);
  EXPECT_EQ(load.latency_cycles, 4);
  EXPECT_EQ(load.reads, (Registers{17}));
  EXPECT_EQ(load.writes, (Registers{8}));
  const MachineInstruction divide = timed("vdivd", {"$1", "$2", "$3"});
  EXPECT_EQ(divide.blocking_cycles, divide.latency_cycles);
  EXPECT_TRUE(timed("bsr", {"$26", "f"}).is_call);
}

}  // namespace
}  // namespace solway::emulator
