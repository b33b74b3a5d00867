#include "driver/plans_in_order.h"

#include <algorithm>
#include <iterator>

#include "schedule/loop_paths.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::StagePlan;
using memory_planner::Tiling;
using schedule::LoopId;
using schedule::State;

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// So many loops that all cores go through together, the parts of one loop on the cores, and all
/// other loops inside the buffers, in their order.
StagePlan plan_parts(const PlannedStage& stage, int steps, int loop, int cores) {
  StagePlan out;
  out.choice.fits = true;
  out.parallel = loop;
  out.steps = steps;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const std::int64_t extent = stage.model.loops[index(k)].extent;
    (k < steps || k == loop ? out.outer : out.inner).push_back(k);
    out.choice.tiles.push_back(k < steps ? 1 : k == loop ? (extent + cores - 1) / cores : extent);
  }
  return out;
}

/// Whether parts of a loop may run on different cores.
bool may_be_shared(const memory_planner::LoopModel& loop) {
  return loop.kind == dsl::AxisKind::Spatial && loop.tiling == Tiling::Free && loop.extent > 1;
}

std::size_t loops_in_common(const std::vector<LoopId>& a, const std::vector<LoopId>& b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end.first - a.begin());
}

/// How many loops of a path are loops of a stage: around one that was placed stand loops of others.
std::size_t loops_among(const std::vector<LoopId>& path, const std::vector<LoopId>& all) {
  return static_cast<std::size_t>(std::count_if(
      path.begin(), path.end(), [&](LoopId id) { return schedule::contains(all, id); }));
}

}  // namespace

bool fills_buffer(const State& state, const schedule::Statement& s) {
  return std::any_of(s.writes.begin(), s.writes.end(), [&](const schedule::Write& write) {
    const std::string array = isl_ext::tuple_name(write.relation, isl_ext::Dim::Range);
    return state.program->array(array).kind == schedule::ArrayKind::Buffer;
  });
}

std::optional<std::vector<LoopId>> loops_inside_buffers(const State& state,
                                                        const std::string& stage) {
  const std::vector<LoopId>& all = state.stage_loops.at(stage);
  std::optional<std::size_t> depth;
  for (const schedule::Placement& p : state.order.placements) {
    const schedule::Statement& s = state.program->statement(p.statement);
    if (s.stage == stage && s.is_transfer()) {
      depth = std::max(depth.value_or(0), loops_among(p.path, all));
    } else if (s.stage != stage && fills_buffer(state, s)) {
      const std::size_t shared = loops_in_common(p.path, all);
      if (shared > 0) depth = std::max(depth.value_or(0), shared);
    }
  }
  if (!depth) return std::nullopt;
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
    if (may_be_shared(stage.model.loops[index(k)])) out.push_back(plan_parts(stage, 0, k, cores));
  }
  for (std::size_t depth = 0; depth <= stage.loops.size(); ++depth) {
    if (depth > 0 && stage.model.loops[depth - 1].kind == dsl::AxisKind::Reduce) break;
    out.push_back(plan_in_place(
        stage, {stage.loops.begin() + static_cast<std::ptrdiff_t>(depth), stage.loops.end()}));
  }
  return out;
}

std::vector<StagePlan> plans_in_steps(const PlannedStage& stage, int cores) {
  std::vector<StagePlan> out;
  const auto count = static_cast<int>(stage.loops.size());
  for (int steps = 1; steps < count && cores > 1; ++steps) {
    const memory_planner::LoopModel& last = stage.model.loops[index(steps - 1)];
    if (last.kind == dsl::AxisKind::Reduce || last.tiling != Tiling::Free) break;
    for (int k = steps; k < (stage.keeps_order ? steps + 1 : count); ++k) {
      if (!may_be_shared(stage.model.loops[index(k)])) continue;
      out.push_back(plan_parts(stage, steps, k, cores));
    }
  }
  return out;
}

}  // namespace solway::driver
