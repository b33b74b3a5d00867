#include "schedule/lane_buffers.h"

#include <algorithm>

namespace solway::schedule {
namespace {

bool uses(const Statement& s, const std::string& buffer) {
  return s.writes_to(buffer) || s.reads_from(buffer) || (s.copy && s.copy->buffer == buffer);
}

/// The vectorized loop around a statement, if there is exactly one.
std::optional<LoopId> only_vectorized(const State& state, const std::string& statement) {
  std::optional<LoopId> out;
  for (const LoopId id : state.order.placement_of(statement).path) {
    if (state.order.loop(id).mark != LoopMark::Vectorized) continue;
    if (out) return std::nullopt;
    out = id;
  }
  return out;
}

}  // namespace

std::optional<LoopId> lane_loop_of(const State& state, const std::string& buffer) {
  const Program& program = *state.program;
  if (program.array(buffer).scope != "register") return std::nullopt;
  std::optional<LoopId> out;
  for (const auto& [name, s] : program.statements) {
    if (!uses(s, buffer)) continue;
    const auto around = only_vectorized(state, name);
    if (!around || (out && *out != *around)) return std::nullopt;
    out = around;
  }
  return out;
}

std::set<std::string> lane_buffers(const State& state, LoopId id) {
  std::set<std::string> out;
  if (state.order.loop(id).mark != LoopMark::Vectorized) return out;
  for (const auto& [name, buffer] : state.program->buffers) {
    if (lane_loop_of(state, name) == id) out.insert(name);
  }
  return out;
}

}  // namespace solway::schedule
