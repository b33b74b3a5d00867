#include "codegen/athread/assembly/pipelined_loop.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/codegen/athread/assembly/core_simulator.h"
#include "tests/unit/codegen/athread/assembly/random_code.h"

namespace solway::codegen::assembly {
namespace {

using testing::CoreSimulator;
using testing::text_of;

const Latencies kLatencies{4, 7};
constexpr Register kCounter = 19;

CoreSimulator start() {
  CoreSimulator core;
  core.registers[17] = 100'000;
  core.registers[18] = 200'000;
  core.registers[20] = 900'000;
  return core;
}

/// Registers that stand for values, handed on from iteration to iteration.
std::vector<Register> carried(const std::vector<Instruction>& body) {
  std::vector<Register> out;
  for (const Instruction& one : body) {
    if (one.opcode == Opcode::Vmas && one.reads[2] == *one.writes) out.push_back(*one.writes);
  }
  return out;
}

/// Stores of what the loop has added up.
std::string stores(const std::vector<Instruction>& body, const Allocation& allocation) {
  std::vector<Instruction> out;
  std::int64_t at = 0;
  for (const Register reg : carried(body)) {
    out.push_back({Opcode::Vsts, {}, {allocation.at(reg), 20}, at, {}, {}});
    at += 16;
  }
  return text_of(out);
}

struct Case {
  std::vector<Instruction> body;
  ModuloSchedule schedule;
  Allocation allocation;
  PipelinedLoop loop;

  explicit Case(const std::vector<Instruction>& of) : body(of) {
    schedule = modulo_schedule(body, kLatencies);
    std::vector<Register> available(16);
    std::iota(available.begin(), available.end(), 0);
    allocation = allocate_registers(body, schedule, available, kLatencies);
    loop = pipelined_loop(body, schedule, allocation, kCounter, ".next");
  }

  CoreSimulator pipelined(int n) const {
    CoreSimulator core = start();
    core.registers[kCounter] = n - 1;
    core.run(text_of(loop.begin) + "  ble $19,.end\n.next:\n" + text_of(loop.kernel) + ".end:\n" +
             text_of(loop.end) + stores(body, allocation));
    return core;
  }
  CoreSimulator one_after_the_other(int n) const {
    CoreSimulator core = start();
    // Each value in a register of its own.
    Allocation own;
    Register next = 0;
    for (const auto& [reg, at] : allocation) own[reg] = next++;
    std::vector<Instruction> code;
    for (const Instruction& one : body) code.push_back(with_registers(one, own));
    std::string text;
    for (int i = 0; i < n; ++i) text += text_of(code);
    core.run(text + stores(body, own));
    return core;
  }
};

TEST(PipelinedLoop, EndsOneIterationAndStartsTheNext) {
  const Case one({{Opcode::Vlds, 40, {18}, 0, {}, "B"},
                  {Opcode::Vmas, 41, {40, 1, 41}, 0, {}, {}},
                  {Opcode::Ldi, 18, {18}, 16, {}, {}}});
  EXPECT_EQ(one.schedule.interval, 7);
  EXPECT_EQ(one.loop.kernel.back().opcode, Opcode::Bgt);
  EXPECT_EQ(one.loop.kernel.size(), 5U);
  for (const Instruction& last : one.loop.end) EXPECT_NE(last.opcode, Opcode::Ldi);
}

TEST(PipelinedLoop, RandomLoopsComputeTheSameForEveryTripCount) {
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    const Case one(testing::random_body(random));
    for (const int n : {1, 2, 3, 4, 7}) {
      ASSERT_EQ(one.pipelined(n).memory, one.one_after_the_other(n).memory)
          << n << " iterations of\n"
          << text_of(one.body) << "as\n"
          << text_of(one.loop.kernel);
    }
  }
}

TEST(PipelinedLoop, RandomLoopsTakeTheirIntervalAtMost) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    const Case one(testing::random_body(random));
    ASSERT_LE(one.pipelined(40).cycles() - one.pipelined(20).cycles(), 20 * one.schedule.interval)
        << text_of(one.loop.kernel);
  }
}

}  // namespace
}  // namespace solway::codegen::assembly
