#include "schedule/loops_named.h"

#include <algorithm>

namespace solway::schedule {
namespace {

/// Whether what took the place of a loop are loops of `stage`, at once or in several steps.
bool became_loops_of(const State& state, const std::string& stage, LoopId id) {
  const auto replaced = state.replaced.find(id);
  if (replaced == state.replaced.end()) {
    const std::vector<LoopId>& own = state.stage_loops.at(stage);
    return std::find(own.begin(), own.end(), id) != own.end();
  }
  const std::vector<LoopId>& by = replaced->second.by;
  return std::any_of(by.begin(), by.end(),
                     [&](LoopId next) { return became_loops_of(state, stage, next); });
}

}  // namespace

std::vector<LoopId> loops_named(const State& state, const std::string& stage,
                                const std::string& name) {
  std::vector<LoopId> out;
  for (const LoopId id : state.stage_loops.at(stage)) {
    if (state.order.loop(id).name == name) out.push_back(id);
  }
  if (!out.empty()) return out;
  for (const auto& [id, loop] : state.removed) {
    if (loop.name == name && became_loops_of(state, stage, id)) out = {id};
  }
  return out;
}

}  // namespace solway::schedule
