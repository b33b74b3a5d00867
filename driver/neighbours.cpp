#include "driver/neighbours.h"

#include <algorithm>

#include "memory_planner/vector_stage.h"

namespace solway::driver {
namespace {

using memory_planner::VectorAccess;
using memory_planner::VectorStage;
using schedule::LoopId;
using schedule::State;

/// Whether all that a stage touches stands still or moves by one element with a loop, something the
/// latter.
bool runs_along_neighbours(const VectorStage& stage, std::size_t loop) {
  const auto step = [&](const VectorAccess& access) { return access.steps[loop].value_or(-1); };
  const auto& accesses = stage.accesses;
  return stage.around[loop] &&
         std::all_of(accesses.begin(), accesses.end(),
                     [&](const auto& a) { return step(a) == 0 || step(a) == 1; }) &&
         std::any_of(accesses.begin(), accesses.end(), [&](const auto& a) { return step(a) == 1; });
}

/// Iterations of the longest such loop of those from `first` on; 0: there is none.
std::int64_t neighbours(const VectorStage& stage, std::size_t first) {
  std::int64_t out = 0;
  for (std::size_t k = first; k < stage.loops.size(); ++k) {
    if (runs_along_neighbours(stage, k)) out = std::max(out, stage.loops[k].extent);
  }
  return out;
}

}  // namespace

bool keeps_neighbours(const State& before, const State& placed, const std::string& stage,
                      const std::string& host, LoopId level, const Target& target) {
  const std::int64_t rows = neighbours(memory_planner::describe_stage(before, host, target), 0);
  const VectorStage outside = memory_planner::describe_stage(placed, host, target);
  const auto at = std::find(outside.ids.begin(), outside.ids.end(), level);
  const auto inside = static_cast<std::size_t>(at - outside.ids.begin()) + 1;
  const std::int64_t lanes = std::max(2, outside.lanes);
  if (neighbours(outside, inside) < std::min(rows, lanes)) return false;
  const VectorStage alone = memory_planner::describe_stage(before, stage, target);
  if (!alone.is_update) return true;  // it takes little beside the rows of its host
  const VectorStage within = memory_planner::describe_stage(placed, stage, target);
  return neighbours(within, 0) >= std::min(neighbours(alone, 0), lanes);
}

}  // namespace solway::driver
