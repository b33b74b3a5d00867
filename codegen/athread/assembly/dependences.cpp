#include "codegen/athread/assembly/dependences.h"

#include <algorithm>

namespace solway::codegen::assembly {
namespace {

bool reads(const Instruction& one, Register reg) {
  return std::find(one.reads.begin(), one.reads.end(), reg) != one.reads.end();
}

/// Cycles from `a` to `b`, which stands behind it; -1: they do not depend on each other.
int cycles_between(const Instruction& a, const Instruction& b, const Latencies& latencies) {
  int cycles = is_branch(b.opcode) ? 0 : -1;
  const int latency = latency_of(a.opcode, latencies);
  if (a.writes && *a.writes != kZero) {
    if (reads(b, *a.writes)) cycles = std::max(cycles, latency);
    if (b.writes == a.writes) {
      cycles = std::max({cycles, 1, latency - latency_of(b.opcode, latencies)});
    }
  }
  if (b.writes && *b.writes != kZero && reads(a, *b.writes)) cycles = std::max(cycles, 0);
  const bool same_place = !a.memory.empty() && a.memory == b.memory;
  if (same_place && (is_store(a.opcode) || is_store(b.opcode))) cycles = std::max(cycles, 1);
  return cycles;
}

}  // namespace

std::vector<Dependence> dependences(const std::vector<Instruction>& code,
                                    const Latencies& latencies) {
  std::vector<Dependence> out;
  for (std::size_t to = 0; to < code.size(); ++to) {
    for (std::size_t from = 0; from < to; ++from) {
      const int cycles = cycles_between(code[from], code[to], latencies);
      if (cycles >= 0) out.push_back({from, to, cycles, 0});
    }
  }
  return out;
}

std::vector<Dependence> loop_dependences(const std::vector<Instruction>& body,
                                         const Latencies& latencies) {
  std::vector<Dependence> out = dependences(body, latencies);
  for (std::size_t from = 0; from < body.size(); ++from) {
    for (std::size_t to = 0; to < body.size(); ++to) {
      const int cycles = cycles_between(body[from], body[to], latencies);
      if (cycles >= 0) out.push_back({from, to, cycles, 1});
    }
  }
  return out;
}

}  // namespace solway::codegen::assembly
