#include "driver/plans_in_order.h"

#include <algorithm>

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::StagePlan;
using memory_planner::Tiling;
using schedule::LoopId;
using schedule::State;

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// The parts of one loop on the cores, and all other loops inside the buffers, in their order.
StagePlan plan_parts(const PlannedStage& stage, int loop, std::int64_t part) {
  StagePlan out;
  out.choice.fits = true;
  out.parallel = loop;
  out.outer = {loop};
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (k != loop) out.inner.push_back(k);
    out.choice.tiles.push_back(k == loop ? part : stage.model.loops[index(k)].extent);
  }
  return out;
}

}  // namespace

std::optional<std::vector<LoopId>> loops_inside_buffers(const State& state,
                                                        const std::string& stage) {
  std::optional<std::size_t> depth;
  for (const schedule::Placement& p : state.order.placements) {
    const schedule::Statement& s = state.program->statement(p.statement);
    if (s.stage == stage && s.is_transfer()) depth = std::max(depth.value_or(0), p.path.size());
  }
  if (!depth) return std::nullopt;
  const std::vector<LoopId>& all = state.stage_loops.at(stage);
  return std::vector<LoopId>(all.begin() + static_cast<std::ptrdiff_t>(*depth), all.end());
}

StagePlan plan_in_place(const PlannedStage& stage, const std::vector<LoopId>& inside) {
  StagePlan out;
  out.choice.fits = true;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const bool is_inside =
        std::find(inside.begin(), inside.end(), stage.loops[index(k)]) != inside.end();
    (is_inside ? out.inner : out.outer).push_back(k);
    out.choice.tiles.push_back(is_inside ? stage.model.loops[index(k)].extent : 1);
  }
  return out;
}

std::vector<StagePlan> plans_in_order(const PlannedStage& stage, int cores) {
  std::vector<StagePlan> out;
  for (int k = 0; k < static_cast<int>(stage.loops.size()) && cores > 1; ++k) {
    const memory_planner::LoopModel& loop = stage.model.loops[index(k)];
    const bool is_free = loop.kind == dsl::AxisKind::Spatial && loop.tiling == Tiling::Free;
    if (!is_free || loop.extent <= 1) continue;
    out.push_back(plan_parts(stage, k, (loop.extent + cores - 1) / cores));
  }
  for (std::size_t depth = 0; depth <= stage.loops.size(); ++depth) {
    if (depth > 0 && stage.model.loops[depth - 1].kind == dsl::AxisKind::Reduce) break;
    out.push_back(plan_in_place(
        stage, {stage.loops.begin() + static_cast<std::ptrdiff_t>(depth), stage.loops.end()}));
  }
  return out;
}

}  // namespace solway::driver
