#include "emulator/worker/register_needs.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr int kLoad = 4;
constexpr int kRegisters = 30;
/// Integers have the numbers below, vectors those from here on; the last one does not count.
constexpr int kFirstVector = 32;
constexpr int kFlag = 64;

std::vector<int> places() {
  std::vector<int> out(kFlag + 1);
  std::iota(out.begin(), out.end(), 0);
  out[kFlag] = -1;
  return out;
}

MachineInstruction add(int reg) { return {Pipe::Either, 1, 1, {reg}, {reg}}; }
MachineInstruction product(int vector) { return {Pipe::Zero, 7, 1, {vector}, {vector}}; }
MachineInstruction read(int reg) { return {Pipe::One, 1, 1, {reg}, {}}; }

/// Each of so many registers is changed once per round.
std::vector<MachineInstruction> body(int integers, int vectors) {
  std::vector<MachineInstruction> out;
  for (int k = 0; k < integers; ++k) out.push_back(add(k));
  for (int k = 0; k < vectors; ++k) out.push_back(product(kFirstVector + k));
  return out;
}

/// A loop with a block before and one after it.
std::vector<CodeBlock> loop(std::vector<MachineInstruction> round) {
  return {{"entry", {{}}, {}, {1}, 0, {}},
          {"body", {std::move(round)}, {0, 1}, {1, 2}, 1, {1}},
          {"end", {{}}, {1}, {}, 0, {}}};
}

struct Added {
  int loads = 0;
  int stores = 0;
};

/// What `add_spills` puts into a block: nothing else here has no registers.
Added added(std::vector<CodeBlock> blocks, std::size_t block) {
  add_spills(blocks, places(), kRegisters, kLoad);
  Added out;
  for (const auto& stretch : blocks[block].stretches) {
    for (const MachineInstruction& one : stretch) {
      if (!one.reads.empty() || !one.writes.empty()) continue;
      EXPECT_EQ(one.pipe, Pipe::One);
      (one.latency_cycles == kLoad ? out.loads : out.stores) += 1;
    }
  }
  return out;
}

TEST(AddSpills, ALoopOf20And20RegistersHas10TooMany) {
  const Added spills = added(loop(body(20, 20)), 1);
  EXPECT_EQ(spills.loads, 10);
  EXPECT_EQ(spills.stores, 10);
  EXPECT_EQ(added(loop(body(20, 20)), 0).loads, 0);
}

TEST(AddSpills, ALoopThatFitsStaysAsItIs) {
  EXPECT_EQ(added(loop(body(10, 20)), 1).loads, 0);
  EXPECT_EQ(added(loop(body(30, 0)), 1).loads, 0);
}

TEST(AddSpills, WhatIsNotNeededAtTheSameTimeSharesARegister) {
  // 40 registers, each of which is written and read at once: one at a time.
  std::vector<MachineInstruction> round;
  for (int k = 0; k < 40; ++k) {
    round.push_back({Pipe::Either, 1, 1, {}, {k}});
    round.push_back(read(k));
  }
  EXPECT_EQ(added(loop(round), 1).loads, 0);
}

TEST(AddSpills, WhatALoopOnlyReadsIsNotStored) {
  std::vector<MachineInstruction> round = body(0, 25);
  for (int k = 0; k < 9; ++k) round.push_back(read(k));
  const Added spills = added(loop(round), 1);
  EXPECT_EQ(spills.loads, 4);
  EXPECT_EQ(spills.stores, 0);
}

TEST(AddSpills, WhatALoopDoesNotTouchIsStoredAroundIt) {
  std::vector<CodeBlock> blocks = loop(body(0, 25));
  for (int k = 0; k < 9; ++k) blocks[0].stretches[0].push_back({Pipe::Either, 1, 1, {}, {k}});
  for (int k = 0; k < 9; ++k) blocks[2].stretches[0].push_back(read(k));
  EXPECT_EQ(added(blocks, 1).loads, 0);
  EXPECT_EQ(added(blocks, 0).loads, 4);
  EXPECT_EQ(added(blocks, 0).stores, 4);
}

TEST(AddSpills, AnOuterLoopCountsWhatItsInnerLoopsDoNot) {
  // The inner loop has 2 too many, the outer one 5: 3 in each of its own rounds.
  const std::vector<CodeBlock> blocks = {
      {"entry", {{}}, {}, {1}, 0, {}},
      {"head", {{add(20), add(21), add(22)}}, {0, 2}, {2}, 1, {1}},
      {"body", {body(12, 20)}, {1, 2}, {1, 2, 3}, 2, {1, 2}},
      {"end", {{}}, {2}, {}, 0, {}}};
  EXPECT_EQ(added(blocks, 2).loads, 2);
  EXPECT_EQ(added(blocks, 1).loads, 3);
  EXPECT_EQ(added(blocks, 0).loads, 0);
}

TEST(AddSpills, WhatIsOnlyAddedToAddressesDoesNotCount) {
  std::vector<MachineInstruction> round = body(1, 28);
  for (int k = 10; k < 14; ++k) {
    round.push_back({Pipe::One, kLoad, 1, {0, k}, {kFirstVector}, false, false, k});
  }
  EXPECT_EQ(added(loop(round), 1).loads, 0);
  round.push_back(add(10));
  round.push_back(add(11));
  EXPECT_EQ(added(loop(round), 1).loads, 1);
}

TEST(AddSpills, ResultsOfComparisonsDoNotCount) {
  std::vector<MachineInstruction> round = body(10, 20);
  round.insert(round.begin(), add(kFlag));
  EXPECT_EQ(added(loop(round), 1).loads, 0);
}

TEST(AddSpills, TheyStandAmongTheOtherInstructions) {
  std::vector<CodeBlock> blocks = loop(body(20, 20));
  add_spills(blocks, places(), kRegisters, kLoad);
  const auto& round = blocks[1].stretches[0];
  ASSERT_EQ(round.size(), 60U);
  const auto half = [&](auto begin, auto end) {
    return std::count_if(begin, end, [](const auto& one) { return one.reads.empty(); });
  };
  EXPECT_EQ(half(round.begin(), round.begin() + 30), 10);
}

}  // namespace
}  // namespace solway::emulator
