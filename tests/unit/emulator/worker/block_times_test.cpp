#include "emulator/worker/block_times.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr int kRegisters = 16;

MachineInstruction load(int to, int address) { return {Pipe::One, 4, 1, {address}, {to}}; }
MachineInstruction fma(int to, int a, int b) { return {Pipe::Zero, 7, 1, {to, a, b}, {to}}; }
MachineInstruction add(int to, int from) { return {Pipe::Either, 1, 1, {from}, {to}}; }
MachineInstruction branch(int condition) { return {Pipe::One, 1, 1, {condition}, {}}; }

MachineInstruction call() { return {Pipe::One, 1, 1, {}, {}, true}; }

double cycles(const BlockTimes& times, const std::string& block, std::size_t stretch = 0) {
  return static_cast<double>(times.stretches.at(block).at(stretch)) / kTicksPerCycle;
}

/// A loop with a block before and one after it.
std::vector<CodeBlock> loop(const std::vector<MachineInstruction>& body) {
  return {{"entry", {{add(0, 0)}}, {}, {1}, 0},
          {"body", {body}, {0, 1}, {1, 2}, 1},
          {"end", {{add(0, 0)}}, {1}, {}, 0}};
}

TEST(TimeBlocks, ARoundOfALoopComesAfterTheRoundBefore) {
  // The sum of this round waits for that of the last one: seven cycles, not three.
  EXPECT_EQ(cycles(time_blocks(loop({fma(2, 1, 3), add(4, 4), branch(4)}), kRegisters), "body"), 7);
  EXPECT_EQ(cycles(time_blocks(loop({add(4, 4), add(5, 5), add(6, 6)}), kRegisters), "body"), 1.5);
}

TEST(TimeBlocks, ALoopOfTwoBlocks) {
  const std::vector<CodeBlock> blocks = {{"entry", {{}}, {}, {1}, 0},
                                         {"head", {{load(1, 0), load(2, 0)}}, {0, 2}, {2}, 1},
                                         {"latch", {{fma(3, 1, 2), branch(4)}}, {1}, {1, 3}, 1},
                                         {"end", {{}}, {2}, {}, 0}};
  const BlockTimes times = time_blocks(blocks, kRegisters);
  // Two loads, then four cycles until the second has arrived; a sum every seven cycles.
  EXPECT_EQ(cycles(times, "head") + cycles(times, "latch"), 7);
}

TEST(TimeBlocks, ACallDividesABlock) {
  const std::vector<CodeBlock> blocks = {
      {"entry", {{load(1, 0), call()}, {fma(2, 1, 3)}}, {}, {}, 0}};
  const BlockTimes times = time_blocks(blocks, kRegisters);
  ASSERT_EQ(times.stretches.at("entry").size(), 2U);
  EXPECT_EQ(cycles(times, "entry", 0), 4);    // what is called finds everything there
  EXPECT_EQ(cycles(times, "entry", 1), 0.5);  // the cycle has room for another one
}

TEST(TimeBlocks, BlocksOfTheCompilerBelongToTheEdgesThatTheyAreOn) {
  const std::vector<CodeBlock> blocks = {{"entry", {{branch(0)}}, {}, {1, 2}, 0},
                                         {"", {{add(1, 1), add(2, 2)}}, {0}, {2}, 0},
                                         {"body", {{add(3, 3)}}, {0, 1, 2}, {2, 3}, 1},
                                         {"", {{add(1, 1)}}, {2}, {4}, 0},
                                         {"", {{add(1, 1)}}, {3}, {5}, 0},
                                         {"end", {{}}, {4}, {}, 0}};
  const BlockTimes times = time_blocks(blocks, kRegisters);
  EXPECT_EQ(times.edges.size(), 2U);
  EXPECT_GT(times.edges.at({"entry", "body"}), 0);
  // The first of the two goes with the loop's last instruction.
  EXPECT_EQ(times.edges.at({"body", "end"}), kTicksPerCycle);
}

TEST(TimeBlocks, BlocksOfOneNameAreOne) {
  const std::vector<CodeBlock> blocks = {{"choice", {{add(1, 1), branch(1)}}, {}, {1, 2}, 0},
                                         {"choice", {{add(2, 2), branch(2)}}, {0}, {2}, 0},
                                         {"end", {{}}, {0, 1}, {}, 0}};
  const BlockTimes times = time_blocks(blocks, kRegisters);
  EXPECT_EQ(times.stretches.at("choice").size(), 1U);
  EXPECT_EQ(cycles(times, "choice"), 2.5);  // the first branch and the second addition together
}

}  // namespace
}  // namespace solway::emulator
