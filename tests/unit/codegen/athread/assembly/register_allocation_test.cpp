#include "codegen/athread/assembly/register_allocation.h"

#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "codegen/athread/assembly/product_tile.h"
#include "support/error.h"

#include "tests/unit/codegen/athread/assembly/random_code.h"

namespace solway::codegen::assembly {
namespace {

const Latencies kLatencies{4, 7};

std::vector<Register> first(int count) {
  std::vector<Register> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// Runs iterations over one another in the cycles of the schedule, each register holding the name
/// of the value that is there, and compares what each instruction finds with what it should.
void expect_no_clash(const std::vector<Instruction>& body, const ModuloSchedule& schedule,
                     const Allocation& allocation) {
  constexpr int kIterations = 5;
  struct Event {
    std::int64_t cycle;
    bool is_write;
    std::int64_t iteration;
    Register reg;
  };
  std::vector<Event> events;
  for (std::int64_t i = 0; i < kIterations; ++i) {
    std::set<Register> written;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const std::int64_t cycle = schedule.cycles[k] + i * schedule.interval;
      for (const Register reg : body[k].reads) {
        if (reg >= kFirstVirtual)
          events.push_back({cycle, false, i - (written.count(reg) == 0), reg});
      }
      if (body[k].writes.value_or(0) < kFirstVirtual) continue;
      written.insert(*body[k].writes);
      events.push_back({cycle, true, i, *body[k].writes});
    }
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::pair(a.cycle, a.is_write) < std::pair(b.cycle, b.is_write);
  });
  std::map<Register, std::pair<Register, std::int64_t>> holds;
  for (const Event& event : events) {
    const Register at = allocation.at(event.reg);
    const std::pair value{event.reg, event.iteration};
    if (event.is_write) {
      holds[at] = value;
    } else if (event.iteration >= 0 && holds.count(at) != 0) {
      ASSERT_EQ(holds[at], value) << "$" << at << " in cycle " << event.cycle;
    }
  }
}

TEST(RegisterAllocation, ATileFitsBesideItsAddresses) {
  const Product product{Element::Float, 64, 64, 64, 1, 64, 64};
  const Tile tile = product_tile(product, 4, 4, {17, 18, 16});
  const ModuloSchedule schedule = modulo_schedule(tile.body, kLatencies);
  expect_no_clash(tile.body, schedule,
                  allocate_registers(tile.body, schedule, first(24), kLatencies));
}

TEST(RegisterAllocation, ValuesThatDoNotMeetShareOne) {
  // Both values are gone when the interval is half over.
  const std::vector<Instruction> body = {{Opcode::Vlds, 40, {17}, 0, {}, "A"},
                                         {Opcode::Vsts, {}, {40, 16}, 0, {}, "C"},
                                         {Opcode::Vlds, 41, {17}, 16, {}, "A"},
                                         {Opcode::Vsts, {}, {41, 16}, 16, {}, "D"}};
  const ModuloSchedule schedule{16, {0, 4, 5, 9}};
  const Allocation allocation = allocate_registers(body, schedule, first(2), kLatencies);
  EXPECT_EQ(allocation.at(40), allocation.at(41));
  expect_no_clash(body, schedule, allocation);
}

TEST(RegisterAllocation, ValuesThatMeetInTheNextIterationDoNot) {
  const std::vector<Instruction> body = {{Opcode::Vlds, 40, {17}, 0, {}, "A"},
                                         {Opcode::Vsts, {}, {40, 16}, 0, {}, "C"},
                                         {Opcode::Vlds, 41, {17}, 16, {}, "A"},
                                         {Opcode::Vsts, {}, {41, 16}, 16, {}, "D"}};
  const ModuloSchedule schedule{16, {0, 4, 14, 18}};
  const Allocation allocation = allocate_registers(body, schedule, first(2), kLatencies);
  EXPECT_NE(allocation.at(40), allocation.at(41));
  EXPECT_THROW(allocate_registers(body, schedule, first(1), kLatencies), InternalError);
}

TEST(RegisterAllocation, WhatIsHandedOnIsAlone) {
  const std::vector<Instruction> body = {{Opcode::Vmas, 40, {1, 2, 40}, 0, {}, {}},
                                         {Opcode::Vmas, 41, {1, 2, 41}, 0, {}, {}}};
  const Allocation allocation = allocate_registers(body, {8, {0, 1}}, first(4), kLatencies);
  EXPECT_NE(allocation.at(40), allocation.at(41));
  EXPECT_EQ(to_string(with_registers(body[0], {{40, 3}, {41, 4}})), "vmas $1,$2,$3,$3");
}

TEST(RegisterAllocation, RandomLoopsHaveNoClash) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Instruction> body = testing::random_body(random);
    const ModuloSchedule schedule = modulo_schedule(body, kLatencies);
    expect_no_clash(body, schedule, allocate_registers(body, schedule, first(16), kLatencies));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace solway::codegen::assembly
