#include "codegen/athread/assembly/pipelined_loop.h"

#include <algorithm>
#include <string>

namespace solway::codegen::assembly {
namespace {

bool reads(const Instruction& one, Register reg) {
  return std::find(one.reads.begin(), one.reads.end(), reg) != one.reads.end();
}

/// The instructions of a slot of the kernel: who reads a register stands before who writes it.
std::vector<Instruction> slot_of(const std::vector<Instruction>& body,
                                 const ModuloSchedule& schedule, int slot) {
  std::vector<Instruction> out;
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (schedule.slot(k) != slot) continue;
    const bool goes_first =
        !out.empty() && out.front().writes && reads(body[k], *out.front().writes);
    out.insert(goes_first ? out.begin() : out.end(), body[k]);
  }
  return out;
}

/// One iteration's instructions of a stage, as they are issued.
std::vector<Instruction> stage_of(const std::vector<Instruction>& body,
                                  const ModuloSchedule& schedule, int stage) {
  std::vector<Instruction> out;
  for (int slot = 0; slot < schedule.interval; ++slot) {
    std::vector<std::size_t> at;
    for (std::size_t k = 0; k < body.size(); ++k) {
      if (schedule.cycles[k] == stage * schedule.interval + slot) at.push_back(k);
    }
    // As in the body: what is written after it was read in the same cycle stands behind it.
    for (const std::size_t k : at) out.push_back(body[k]);
  }
  return out;
}

/// Without additions to addresses that nothing behind them reads.
std::vector<Instruction> without_unread(const std::vector<Instruction>& code) {
  std::vector<Instruction> out;
  for (std::size_t k = 0; k < code.size(); ++k) {
    const bool is_read = std::any_of(
        code.begin() + static_cast<std::ptrdiff_t>(k) + 1, code.end(),
        [&](const Instruction& later) { return code[k].writes && reads(later, *code[k].writes); });
    if (code[k].opcode != Opcode::Ldi || is_read) out.push_back(code[k]);
  }
  return out;
}

}  // namespace

PipelinedLoop pipelined_loop(const std::vector<Instruction>& body, const ModuloSchedule& schedule,
                             const Allocation& allocation, Register counter,
                             const std::string& label) {
  std::vector<Instruction> code;
  for (const Instruction& one : body) code.push_back(with_registers(one, allocation));

  PipelinedLoop out;
  out.begin = stage_of(code, schedule, 0);
  out.end = without_unread(stage_of(code, schedule, 1));
  std::vector<std::vector<Instruction>> slots;
  for (int slot = 0; slot < schedule.interval; ++slot) {
    slots.push_back(slot_of(code, schedule, slot));
  }
  for (const std::vector<Instruction>& slot : slots) {
    out.bare_kernel.insert(out.bare_kernel.end(), slot.begin(), slot.end());
  }
  // The count goes into the last free place ahead of the branch.
  auto at = slots.end() - 2;
  while (at->size() == 2 && at != slots.begin()) --at;
  at->push_back({Opcode::Subw, counter, {counter}, 1, {}, {}});
  slots.back().push_back({Opcode::Bgt, {}, {counter}, 0, label, {}});
  for (const std::vector<Instruction>& slot : slots) {
    out.kernel.insert(out.kernel.end(), slot.begin(), slot.end());
  }
  return out;
}

}  // namespace solway::codegen::assembly
