#include "codegen/athread/assembly/list_scheduler.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "codegen/athread/assembly/dependences.h"

namespace solway::codegen::assembly {
namespace {

constexpr int kUnplaced = -1;

/// The pipes of one cycle.
class Cycle {
 public:
  bool take(Pipe pipe) {
    if (pipe == Pipe::Either) pipe = is_taken_[1] ? Pipe::Zero : Pipe::One;
    bool& slot = is_taken_.at(pipe == Pipe::Zero ? 0 : 1);
    return !std::exchange(slot, true);
  }

 private:
  std::array<bool, 2> is_taken_{};
};

class ListScheduler {
 public:
  ListScheduler(const std::vector<Instruction>& code, const Latencies& latencies)
      : code_(code), edges_(dependences(code, latencies)), cycle_of_(code.size(), kUnplaced) {
    for (std::size_t k = 0; k < code.size(); ++k) {
      height_.push_back(latency_of(code[k].opcode, latencies));
    }
    // Dependences lead forwards: from the last one each height is final when it is read.
    std::vector<Dependence> backwards = edges_;
    std::stable_sort(backwards.begin(), backwards.end(),
                     [](const Dependence& a, const Dependence& b) { return a.from > b.from; });
    for (const Dependence& edge : backwards) {
      height_[edge.from] = std::max(height_[edge.from], edge.cycles + height_[edge.to]);
    }
  }

  std::vector<Instruction> run() {
    std::vector<Instruction> out;
    for (int cycle = 0; out.size() < code_.size(); ++cycle) {
      Cycle pipes;
      while (const auto next = choose(cycle, pipes)) {
        cycle_of_[*next] = cycle;
        out.push_back(code_[*next]);
      }
    }
    return out;
  }

 private:
  bool is_ready(std::size_t k, int cycle) const {
    return std::all_of(edges_.begin(), edges_.end(), [&](const Dependence& edge) {
      return edge.to != k ||
             (cycle_of_[edge.from] != kUnplaced && cycle_of_[edge.from] + edge.cycles <= cycle);
    });
  }

  std::optional<std::size_t> choose(int cycle, Cycle& pipes) const {
    std::vector<std::size_t> ready;
    for (std::size_t k = 0; k < code_.size(); ++k) {
      if (cycle_of_[k] == kUnplaced && is_ready(k, cycle)) ready.push_back(k);
    }
    std::stable_sort(ready.begin(), ready.end(),
                     [&](std::size_t a, std::size_t b) { return height_[a] > height_[b]; });
    for (const std::size_t k : ready) {
      if (pipes.take(pipe_of(code_[k].opcode))) return k;
    }
    return std::nullopt;
  }

  const std::vector<Instruction>& code_;
  std::vector<Dependence> edges_;
  std::vector<int> cycle_of_;
  std::vector<int> height_;  ///< cycles from its issue to the end of what hangs on it
};

}  // namespace

std::vector<Instruction> list_schedule(const std::vector<Instruction>& code,
                                       const Latencies& latencies) {
  return ListScheduler(code, latencies).run();
}

}  // namespace solway::codegen::assembly
