#include "driver/fixed_choices.h"

#include <algorithm>
#include <vector>

#include "driver/plans_in_order.h"
#include "memory_planner/body_model.h"
#include "memory_planner/plan_forms.h"
#include "schedule/loop_paths.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;

/// Whether at most one loop runs on all cores, or two on the rows and columns of the mesh.
bool runs_on_mesh(const schedule::State& state, const PlannedStage& stage) {
  std::vector<std::string> hardware;
  for (const schedule::LoopId id : stage.loops) {
    const schedule::Loop& loop = state.order.loop(id);
    if (loop.mark == schedule::LoopMark::Parallel) hardware.push_back(loop.hardware);
  }
  using Marks = std::vector<std::string>;
  return hardware.empty() || hardware == Marks{"core"} || hardware == Marks{"row", "column"};
}

/// Whether all that a stage computes stands in one nest: the loops over its elements are around all
/// of it.
bool is_one_nest(const schedule::State& state, const PlannedStage& stage) {
  const auto is_under_all = [&](const std::vector<schedule::LoopId>& path) {
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      if (stage.model.loops[k].kind != dsl::AxisKind::Spatial) continue;
      if (!schedule::contains(path, stage.loops[k])) return false;
    }
    return true;
  };
  return std::all_of(state.order.placements.begin(), state.order.placements.end(),
                     [&](const schedule::Placement& placement) {
                       const schedule::Statement& s = state.program->statement(placement.statement);
                       return s.stage != stage.model.name || s.is_transfer() ||
                              is_under_all(placement.path);
                     });
}

}  // namespace

std::string what_is_fixed(const schedule::State& state, const PlannedStage& stage,
                          const Target& target) {
  if (!runs_on_mesh(state, stage)) return "its loops run on cores in a way of their own";
  if (!is_one_nest(state, stage)) return "this one has several nests of loops";
  if (!state.original->sizes.empty()) return "sizes of this one are known when it runs";
  for (const memory_planner::LoopModel& loop : stage.model.loops) {
    if (loop.held != memory_planner::HeldBy::Vectors) continue;
    const memory_planner::BodyModel body = memory_planner::model_body(state, stage.model, target);
    const memory_planner::CostInputs in{&stage.model, &body, &target,
                                        target.engine_or_null(target.default_scope)};
    const memory_planner::PlanForms forms(in);
    if (forms.held_forms(forms.parallel_forms().front()).empty()) {
      return "it counts no vectors along '" + loop.name + "'";
    }
  }
  return "";
}

bool may_search(const schedule::State& state, const PlannedStage& stage, const Target& target) {
  const auto& loops = stage.model.loops;
  return !loops.empty() && !loops_inside_buffers(state, stage.model.name) &&
         std::none_of(loops.begin(), loops.end(),
                      [](const auto& loop) { return loop.extent == 0; }) &&
         what_is_fixed(state, stage, target).empty();
}

}  // namespace solway::driver
