#include "schedule/lane_buffers.h"

#include <algorithm>

namespace solway::schedule {
namespace {

bool uses(const Statement& s, const std::string& buffer) {
  return s.writes_to(buffer) || s.reads_from(buffer) || (s.copy && s.copy->buffer == buffer);
}

/// The loops around a statement down to the vectorized one; empty without exactly one of these.
std::vector<LoopId> down_to_vectorized(const State& state, const std::string& statement) {
  const std::vector<LoopId>& path = state.order.placement_of(statement).path;
  const auto is_vectorized = [&](LoopId id) {
    return state.order.loop(id).mark == LoopMark::Vectorized;
  };
  if (std::count_if(path.begin(), path.end(), is_vectorized) != 1) return {};
  return {path.begin(), std::find_if(path.begin(), path.end(), is_vectorized) + 1};
}

bool is_under(const Placement& placement, const std::vector<LoopId>& loops) {
  return placement.path.size() >= loops.size() &&
         std::equal(loops.begin(), loops.end(), placement.path.begin());
}

/// Whether the loops run once for all that is under them: no other nest stands in between.
bool is_one_nest(const State& state, const std::vector<LoopId>& loops) {
  const auto& all = state.order.placements;
  const auto under = [&](const Placement& p) { return is_under(p, loops); };
  const auto first = std::find_if(all.begin(), all.end(), under);
  return std::none_of(std::find_if_not(first, all.end(), under), all.end(), under);
}

}  // namespace

std::optional<LoopId> lane_loop_of(const State& state, const std::string& buffer) {
  const Program& program = *state.program;
  if (program.array(buffer).scope != "register") return std::nullopt;
  std::vector<LoopId> common;
  for (const auto& [name, s] : program.statements) {
    if (!uses(s, buffer)) continue;
    // The same loop in other loops is another one when it runs.
    const std::vector<LoopId> around = down_to_vectorized(state, name);
    if (around.empty() || (!common.empty() && common != around)) return std::nullopt;
    common = around;
  }
  if (common.empty() || !is_one_nest(state, common)) return std::nullopt;
  return common.back();
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
