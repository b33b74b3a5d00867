#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/worker/issue_pipeline.h"

namespace solway::emulator {

/// Time is counted in parts of a cycle: the rounds of a loop need not be alike.
inline constexpr std::int64_t kTicksPerCycle = 64;

/// The machine code of one block: stretches that end with calls of the program's functions, and
/// with what else the emulator takes part in.
struct CodeBlock {
  std::string name;  ///< of the block of bitcode that it comes from; empty: the compiler's own
  std::vector<std::vector<MachineInstruction>> stretches;
  std::vector<int> predecessors;  ///< indices of blocks
  std::vector<int> successors;
  int loop_depth = 0;
  std::vector<int> loops{};  ///< the first blocks of those that it is in, outermost first;
                             ///< empty where only their number is known
};

/// How long the code of a function takes, by blocks of its bitcode.
struct BlockTimes {
  std::map<std::string, std::vector<std::int64_t>> stretches;  ///< ticks, by block
  /// Of what the compiler has put between two blocks.
  std::map<std::pair<std::string, std::string>, std::int64_t> edges;
};

/// The time that each block adds when it comes after the one that most often goes before it: in a
/// loop, the end of the round before. The first block is the entry.
BlockTimes time_blocks(const std::vector<CodeBlock>& blocks, int registers);

}  // namespace solway::emulator
