#include "memory_planner/in_order_cost.h"

#include <algorithm>

#include "memory_planner/compute_cost.h"

namespace solway::memory_planner {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

bool contains(const std::vector<int>& loops, int loop) {
  return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

/// The stage, of which what it changes, and may read, depends on the loops around the buffers; in
/// steps everything does.
StageModel loaded_again(const StageModel& stage, const std::vector<int>& around, bool in_steps) {
  StageModel out = stage;
  for (TensorModel& tensor : out.tensors) {
    if (tensor.dims.empty() || (!in_steps && tensor.direction == AccessDirection::Read)) continue;
    for (const int loop : around) {
      if (!depends(tensor, loop)) tensor.dims.front().terms.push_back({loop, 0});
    }
  }
  return out;
}

/// Vectors of a loop that are computed in turns: none where one buffer is read and written, as what
/// is read could be what was written just before.
std::int64_t held_in_vectors(const CostInputs& in, const StagePlan& plan) {
  return plan.steps == 0 ? in.body->lanes : in.stage->loops[at(plan.vector)].extent;
}

NestPlan nest_of(const CostInputs& in, const StagePlan& plan, const std::vector<int>& depths) {
  const StageModel& stage = *in.stage;
  NestPlan out;
  out.depths = depths;
  out.vector = plan.vector;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const std::int64_t extent = stage.loops[at(k)].extent;
    const std::int64_t part = k == plan.parallel ? plan.choice.tiles[at(k)] : extent;
    const bool is_around = k != plan.parallel && contains(plan.outer, k);
    out.cuts.push_back(
        {part, is_around ? 1 : part, k == plan.vector ? held_in_vectors(in, plan) : 1});
    if (is_around) out.outer.push_back(k);
  }
  if (plan.parallel >= 0) {
    out.parallel = {plan.parallel};
    out.grid[0] = parts_of(stage, out, plan.parallel);
  }
  return out;
}

}  // namespace

double in_order_cycles(const CostInputs& in, const StagePlan& plan,
                       const std::vector<int>& depths) {
  std::vector<int> around = plan.outer;
  around.erase(std::remove(around.begin(), around.end(), plan.parallel), around.end());
  const StageModel stage = loaded_again(*in.stage, around, plan.steps > 0);
  CostInputs counted = in;
  counted.stage = &stage;
  double steps = plan.steps > 0 ? 1 : 0;
  for (int k = 0; k < plan.steps; ++k) {
    steps *= static_cast<double>(stage.loops[at(plan.outer[at(k)])].extent);
  }
  return cost_of(counted, nest_of(counted, plan, depths)).total() +
         steps * in.target->timing->barrier_cycles;
}

int innermost_lanes(const CostInputs& in, const StagePlan& plan) {
  const auto loop = static_cast<int>(in.stage->loops.size()) - 1;
  if (loop < 0 || !contains(plan.inner, loop) || !in.body->no_vector.empty()) return -1;
  const LoopModel& own = in.stage->loops[at(loop)];
  const bool has_lanes = in.body->lanes > 1 && own.extent >= in.body->lanes;
  if (!has_lanes || own.kind != dsl::AxisKind::Spatial || own.held != HeldBy::Nobody) return -1;
  for (const TensorModel& tensor : in.stage->tensors) {
    const LaneAccess access = lane_access(tensor, loop);
    const bool may_be_same = tensor.direction == AccessDirection::Read;
    if (access == LaneAccess::Gathered || (access == LaneAccess::Same && !may_be_same)) return -1;
  }
  return loop;
}

}  // namespace solway::memory_planner
