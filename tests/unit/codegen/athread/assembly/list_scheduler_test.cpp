#include "codegen/athread/assembly/list_scheduler.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/unit/codegen/athread/assembly/core_simulator.h"

namespace solway::codegen::assembly {
namespace {

using testing::CoreSimulator;
using testing::text_of;

const Latencies kLatencies{4, 7};

CoreSimulator after(const std::vector<Instruction>& code) {
  CoreSimulator core;
  for (std::size_t k = 0; k < core.registers.size(); ++k) {
    core.registers[k] = static_cast<std::int64_t>(1000 * k);
  }
  core.run(text_of(code));
  return core;
}

TEST(ListSchedule, FillsTheLatencyOfALoad) {
  const std::vector<Instruction> code = {{Opcode::Vlds, 2, {18}, 0, {}, "B0"},
                                         {Opcode::Vmas, 3, {1, 2, 3}, 0, {}, {}},
                                         {Opcode::Vlds, 4, {18}, 16, {}, "B1"},
                                         {Opcode::Vmas, 5, {1, 4, 5}, 0, {}, {}}};
  const auto ordered = list_schedule(code, kLatencies);
  EXPECT_EQ(text_of(ordered),
            "  vlds $2,0($18)\n  vlds $4,16($18)\n  vmas $1,$2,$3,$3\n  vmas $1,$4,$5,$5\n");
  EXPECT_EQ(after(ordered).cycles(), 6);
  EXPECT_EQ(after(code).cycles(), 9);
}

TEST(ListSchedule, KeepsABranchLast) {
  const auto ordered = list_schedule({{Opcode::Vmas, 3, {1, 2, 3}, 0, {}, {}},
                                      {Opcode::Subw, 5, {5}, 1, {}, {}},
                                      {Opcode::Vmas, 3, {1, 2, 3}, 0, {}, {}},
                                      {Opcode::Bgt, {}, {5}, 0, ".x", {}}},
                                     kLatencies);
  EXPECT_EQ(ordered.back().opcode, Opcode::Bgt);
}

TEST(ListSchedule, NothingStaysNothing) { EXPECT_TRUE(list_schedule({}, kLatencies).empty()); }

/// Any order that keeps the program's meaning leaves the same values.
TEST(ListSchedule, RandomCodeComputesTheSameAndIsNotSlower) {
  std::mt19937 random(7);
  const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::int64_t before = 0, behind = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Instruction> code;
    for (int k = 0; k < 24; ++k) {
      const Register to = upto(8);
      const std::int64_t at = std::int64_t{16} * upto(4);
      const std::string place = "M" + std::to_string(at);
      const std::vector<Instruction> choices = {
          {Opcode::Vlds, to, {20}, at, {}, place},
          {Opcode::Vsts, {}, {to, 20}, at, {}, place},
          {Opcode::Vmas, to, {upto(8), upto(8), upto(8)}, 0, {}, {}},
          {Opcode::Ldi, 21, {21}, 8, {}, {}},
          {Opcode::Vlds, to, {21}, 0, {}, "other"},
          {Opcode::Mov, to, {upto(8)}, 0, {}, {}}};
      code.push_back(choices[static_cast<std::size_t>(upto(static_cast<int>(choices.size())))]);
    }
    const auto ordered = list_schedule(code, kLatencies);
    ASSERT_EQ(ordered.size(), code.size());
    const CoreSimulator first = after(code), second = after(ordered);
    ASSERT_EQ(first.registers, second.registers) << text_of(code) << "\n" << text_of(ordered);
    ASSERT_EQ(first.memory, second.memory) << text_of(code) << "\n" << text_of(ordered);
    before += first.cycles();
    behind += second.cycles();
  }
  EXPECT_LT(behind, before);
}

}  // namespace
}  // namespace solway::codegen::assembly
