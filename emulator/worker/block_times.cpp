#include "emulator/worker/block_times.h"

#include <algorithm>

namespace solway::emulator {
namespace {

constexpr int kNone = -1;
/// Rounds until what one block leaves the next one is what it always leaves, and the rounds that
/// are counted after that.
constexpr int kWarmRounds = 6;
constexpr int kCountedRounds = 8;
constexpr std::int64_t kTicksPerSlot = kTicksPerCycle / 2;

/// The predecessor from the deepest loop; of several, the one whose code comes last, which ends a
/// round.
int most_frequent(const std::vector<CodeBlock>& blocks, const CodeBlock& block) {
  int best = kNone;
  for (const int candidate : block.predecessors) {
    const auto depth = [&](int index) {
      return blocks[static_cast<std::size_t>(index)].loop_depth;
    };
    if (best == kNone || depth(candidate) > depth(best) ||
        (depth(candidate) == depth(best) && candidate > best)) {
      best = candidate;
    }
  }
  return best;
}

/// Slots that each stretch of a block adds.
std::vector<std::int64_t> pass(IssuePipeline& pipeline, const CodeBlock& block) {
  std::vector<std::int64_t> slots;
  for (const std::vector<MachineInstruction>& stretch : block.stretches) {
    const std::int64_t begin = pipeline.slots();
    for (const MachineInstruction& instruction : stretch) pipeline.issue(instruction);
    slots.push_back(pipeline.slots() - begin);
  }
  return slots;
}

/// Ticks of each stretch of each block.
std::vector<std::vector<std::int64_t>> simulate(const std::vector<CodeBlock>& blocks,
                                                int registers) {
  std::vector<IssuePipeline> left(blocks.size(), IssuePipeline(registers));
  std::vector<std::vector<std::int64_t>> slots(blocks.size());
  std::vector<int> before;
  for (const CodeBlock& block : blocks) before.push_back(most_frequent(blocks, block));
  for (int round = 0; round < kWarmRounds + kCountedRounds; ++round) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      IssuePipeline pipeline =
          before[b] == kNone ? IssuePipeline(registers) : left[static_cast<std::size_t>(before[b])];
      const std::vector<std::int64_t> added = pass(pipeline, blocks[b]);
      left[b] = std::move(pipeline);
      if (round < kWarmRounds) continue;
      slots[b].resize(added.size(), 0);
      for (std::size_t s = 0; s < added.size(); ++s) slots[b][s] += added[s];
    }
  }
  for (auto& of_block : slots) {
    for (std::int64_t& number : of_block) number = number * kTicksPerSlot / kCountedRounds;
  }
  return slots;
}

/// The first block from `index` on, along first successors, that the bitcode has; kNone: there is
/// none.
int named_from(const std::vector<CodeBlock>& blocks, int index) {
  for (std::size_t steps = 0; steps <= blocks.size(); ++steps) {
    const CodeBlock& block = blocks[static_cast<std::size_t>(index)];
    if (!block.name.empty()) return index;
    if (block.successors.empty()) return kNone;
    index = block.successors.front();
  }
  return kNone;
}

void add_stretches(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& more) {
  if (to.empty()) {
    to = more;
    return;
  }
  // No call stands between the parts of one block.
  to.back() += more.front();
  to.insert(to.end(), more.begin() + 1, more.end());
}

}  // namespace

BlockTimes time_blocks(const std::vector<CodeBlock>& blocks, int registers) {
  const auto ticks = simulate(blocks, registers);
  BlockTimes out;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].name.empty()) add_stretches(out.stretches[blocks[b].name], ticks[b]);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const CodeBlock& block = blocks[b];
    if (!block.name.empty()) continue;
    std::int64_t sum = 0;
    for (const std::int64_t number : ticks[b]) sum += number;
    const int to = named_from(blocks, static_cast<int>(b));
    for (const int before : block.predecessors) {
      // Of a chain of such blocks each is on the edge that the first one is on.
      int from = before;
      for (std::size_t steps = 0; steps <= blocks.size(); ++steps) {
        const CodeBlock& other = blocks[static_cast<std::size_t>(from)];
        if (!other.name.empty() || other.predecessors.empty()) break;
        from = other.predecessors.front();
      }
      const std::string& name = blocks[static_cast<std::size_t>(from)].name;
      if (name.empty()) continue;
      if (to == kNone) {
        out.stretches[name].back() += sum;
      } else {
        out.edges[{name, blocks[static_cast<std::size_t>(to)].name}] += sum;
      }
    }
  }
  return out;
}

}  // namespace solway::emulator
