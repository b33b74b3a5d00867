#include "codegen/athread/assembly/register_allocation.h"

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace solway::codegen::assembly {
namespace {

/// By slot of the interval, whether a value is there.
using Slots = std::vector<bool>;

Slots life_of(Register reg, const std::vector<Instruction>& body, const ModuloSchedule& schedule,
              const Latencies& latencies) {
  const auto interval = static_cast<std::size_t>(schedule.interval);
  int begin = -1, end = -1;
  for (std::size_t k = 0; k < body.size(); ++k) {
    const bool reads = std::count(body[k].reads.begin(), body[k].reads.end(), reg) != 0;
    if (reads && begin < 0) return Slots(interval, true);  // of the iteration before
    if (reads) end = std::max(end, schedule.cycles[k]);
    if (body[k].writes != reg) continue;
    begin = schedule.cycles[k];
    // Another value that arrived sooner would have to wait.
    end = begin + latency_of(body[k].opcode, latencies) - 1;
  }
  if (end - begin >= schedule.interval) return Slots(interval, true);
  Slots out(interval, false);
  for (int cycle = begin; cycle <= end; ++cycle) {
    out[static_cast<std::size_t>(cycle % schedule.interval)] = true;
  }
  return out;
}

bool meet(const Slots& a, const Slots& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] && b[k]) return true;
  }
  return false;
}

}  // namespace

Allocation allocate_registers(const std::vector<Instruction>& body, const ModuloSchedule& schedule,
                              const std::vector<Register>& available, const Latencies& latencies) {
  std::map<Register, Slots> lives;
  const auto note = [&](Register reg) {
    if (reg >= kFirstVirtual && lives.count(reg) == 0) {
      lives.emplace(reg, life_of(reg, body, schedule, latencies));
    }
  };
  for (const Instruction& one : body) {
    std::for_each(one.reads.begin(), one.reads.end(), note);
    if (one.writes) note(*one.writes);
  }
  std::vector<std::pair<Register, Slots>> longest_first(lives.begin(), lives.end());
  const auto length = [](const auto& life) {
    return std::count(life.second.begin(), life.second.end(), true);
  };
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](const auto& a, const auto& b) { return length(a) > length(b); });

  Allocation out;
  std::vector<Slots> taken(available.size(),
                           Slots(static_cast<std::size_t>(schedule.interval), false));
  for (const auto& [reg, life] : longest_first) {
    const auto free = std::find_if(taken.begin(), taken.end(),
                                   [&, &own = life](const Slots& of) { return !meet(of, own); });
    if (free == taken.end()) {
      throw InternalError({{},
                           "a loop of " + std::to_string(lives.size()) + " values in " +
                               std::to_string(available.size()) + " registers",
                           "more of them are alive at once, and none is kept in memory",
                           ""});
    }
    for (std::size_t k = 0; k < life.size(); ++k) (*free)[k] = (*free)[k] || life[k];
    out[reg] = available[static_cast<std::size_t>(free - taken.begin())];
  }
  return out;
}

Instruction with_registers(Instruction instruction, const Allocation& allocation) {
  const auto replace = [&](Register& reg) {
    if (reg >= kFirstVirtual) reg = allocation.at(reg);
  };
  std::for_each(instruction.reads.begin(), instruction.reads.end(), replace);
  if (instruction.writes) replace(*instruction.writes);
  return instruction;
}

}  // namespace solway::codegen::assembly
