#include "emulator/worker/issue_pipeline.h"

#include <algorithm>

namespace solway::emulator {
namespace {

constexpr int kWidth = 2;

}  // namespace

IssuePipeline::IssuePipeline(int registers) : ready_(static_cast<std::size_t>(registers), 0) {}

bool IssuePipeline::is_free(Pipe pipe) const { return free_[pipe == Pipe::Zero ? 0 : 1] <= cycle_; }

IssuePipeline::Earliest IssuePipeline::earliest(const MachineInstruction& instruction) const {
  Earliest out{cycle_, false};
  const auto not_before = [&](std::int64_t cycle, bool is_dependence) {
    if (cycle > out.cycle) out = {cycle, is_dependence};
  };
  for (const int reg : instruction.reads) not_before(ready_[static_cast<std::size_t>(reg)], true);
  for (const int reg : instruction.writes) {
    // It must not arrive before what is to be written there already.
    not_before(ready_[static_cast<std::size_t>(reg)] - instruction.latency_cycles, true);
  }
  not_before(instruction.pipe == Pipe::Zero  ? free_[0]
             : instruction.pipe == Pipe::One ? free_[1]
                                             : std::min(free_[0], free_[1]),
             false);
  return out;
}

bool IssuePipeline::goes_with_first(const MachineInstruction& instruction) const {
  if (used_ >= kWidth) return false;
  for (const int reg : instruction.writes) {
    if (std::find(first_writes_.begin(), first_writes_.end(), reg) != first_writes_.end()) {
      return false;
    }
  }
  // The pipe that is left; a first one that may use either takes what this one does not need.
  const auto takes = [&](Pipe own, Pipe other) {
    return (instruction.pipe == own || instruction.pipe == Pipe::Either) &&
           (first_ == other || first_ == Pipe::Either) && is_free(own);
  };
  return takes(Pipe::Zero, Pipe::One) || takes(Pipe::One, Pipe::Zero);
}

void IssuePipeline::issue(const MachineInstruction& instruction) {
  if (instruction.is_name) {
    std::int64_t ready = 0;
    for (const int reg : instruction.reads) {
      ready = std::max(ready, ready_[static_cast<std::size_t>(reg)]);
    }
    for (const int reg : instruction.writes) ready_[static_cast<std::size_t>(reg)] = ready;
    return;
  }
  const Earliest when = earliest(instruction);
  const bool pairs = when.cycle == cycle_ && (used_ == 0 || goes_with_first(instruction));
  if (!pairs) {
    const std::int64_t next = used_ == 0 ? cycle_ : cycle_ + 1;
    const std::int64_t cycle = std::max(when.cycle, next);
    (when.is_dependence ? stalls_.dependence_cycles : stalls_.pipe_cycles) += cycle - next;
    cycle_ = cycle;
    used_ = 0;
  }
  if (used_ == 0) {
    first_ = instruction.pipe;
    first_writes_ = instruction.writes;
    if (first_ == Pipe::Either && !is_free(Pipe::Zero)) first_ = Pipe::One;
    if (first_ == Pipe::Either && !is_free(Pipe::One)) first_ = Pipe::Zero;
  }
  ++used_;
  if (instruction.blocking_cycles > 1) {
    free_[instruction.pipe == Pipe::Zero ? 0 : 1] = cycle_ + instruction.blocking_cycles;
  }
  for (const int reg : instruction.writes) {
    ready_[static_cast<std::size_t>(reg)] = cycle_ + instruction.latency_cycles;
  }
  if (instruction.is_call) drain();
}

void IssuePipeline::drain() {
  std::int64_t end = cycle_ + (used_ == 0 ? 0 : 1);
  for (const std::int64_t cycle : ready_) end = std::max(end, cycle);
  for (const std::int64_t cycle : free_) end = std::max(end, cycle);
  stalls_.dependence_cycles += end - cycle_ - (used_ == 0 ? 0 : 1);
  cycle_ = end;
  used_ = 0;
  first_writes_.clear();
}

}  // namespace solway::emulator
