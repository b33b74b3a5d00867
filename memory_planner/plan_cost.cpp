#include "memory_planner/plan_cost.h"

#include <algorithm>

#include "memory_planner/compute_cost.h"
#include "memory_planner/transfer_cost.h"

namespace solway::memory_planner {
namespace {

constexpr double kRequestCycles = 40;  // of generated code, to ask for a transfer and look for it
constexpr int kCodeLines = 12;         // of the instruction cache, that a stage's code takes

std::size_t at(int k) { return static_cast<std::size_t>(k); }

std::int64_t parts_of(const StageModel& stage, const NestPlan& plan, int loop) {
  const std::int64_t part = plan.cuts[at(loop)].part;
  return (stage.loops[at(loop)].extent + part - 1) / part;
}

std::int64_t tiles_in_part(const NestPlan& plan, int loop) {
  const LoopCut& cut = plan.cuts[at(loop)];
  return (cut.part + cut.tile - 1) / cut.tile;
}

/// How much of the boxes that are counted lies within the loops.
double filled(const StageModel& stage, const NestPlan& plan, const TensorModel& tensor) {
  double out = 1;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (!depends(tensor, k)) continue;
    const double counted = static_cast<double>(parts_of(stage, plan, k) * tiles_in_part(plan, k)) *
                           static_cast<double>(plan.cuts[at(k)].tile);
    out *= static_cast<double>(stage.loops[at(k)].extent) / counted;
  }
  return out;
}

/// An output that its reduction leaves and comes back to is loaded, too.
bool is_partial(const StageModel& stage, const NestPlan& plan, int tensor, int around) {
  if (stage.tensors[at(tensor)].direction == AccessDirection::Read) return false;
  for (int k = 0; k < around; ++k) {
    const int loop = plan.outer[at(k)];
    if (stage.loops[at(loop)].kind == dsl::AxisKind::Reduce) return true;
  }
  return false;
}

}  // namespace

int loops_around(const StageModel& stage, const NestPlan& plan, int tensor) {
  for (auto k = static_cast<int>(plan.outer.size()); k > 0; --k) {
    if (depends(stage.tensors[at(tensor)], plan.outer[at(k - 1)])) return k;
  }
  return 0;
}

bool can_overlap(const StageModel& stage, const NestPlan& plan, int tensor) {
  return !stage.tensors[at(tensor)].is_local && loops_around(stage, plan, tensor) > 0;
}

PlanCost cost_of(const CostInputs& in, const NestPlan& plan) {
  const StageModel& stage = *in.stage;
  const Target& target = *in.target;
  PlanCost out;
  out.compute = compute_cycles(stage, *in.body, plan, target);
  const double computing = out.compute;
  double all_parts = 1;
  double my_parts = 1;
  for (std::size_t p = 0; p < plan.parallel.size(); ++p) {
    const std::int64_t parts = parts_of(stage, plan, plan.parallel[p]);
    all_parts *= static_cast<double>(parts);
    const std::int64_t mine = (parts + plan.grid[p] - 1) / plan.grid[p];
    my_parts *= static_cast<double>(mine);
  }
  std::int64_t columns = 1;
  const std::int64_t mesh_columns = std::max(1, target.cores.mesh_columns);
  if (plan.parallel.size() == 1) columns = std::min(plan.grid[0], mesh_columns);
  if (plan.parallel.size() == 2) {
    columns = std::min(plan.grid[1], parts_of(stage, plan, plan.parallel[1]));
  }
  const TransferEngine& engine = *in.engine;
  const double of_bus = static_cast<double>(
      std::min(columns, std::max<std::int64_t>(1, mesh_columns / engine.buses)));
  const double share = of_bus / static_cast<double>(columns) * engine.buses;  // of the busiest bus
  const Tiles tiles = tiles_of(plan);
  std::vector<bool> ragged;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const LoopCut& cut = plan.cuts[at(k)];
    ragged.push_back(stage.loops[at(k)].extent % cut.part != 0 || cut.part % cut.tile != 0);
  }
  for (int t = 0; t < static_cast<int>(stage.tensors.size()); ++t) {
    if (plan.depths[at(t)] == 0) continue;
    const TensorModel& tensor = stage.tensors[at(t)];
    if (tensor.is_local) continue;
    const int around = loops_around(stage, plan, t);
    double rounds = 1;
    for (int k = 0; k < around; ++k) {
      const std::vector<int>& others = tensor.elsewhere;
      const int loop = plan.outer[at(k)];
      if (std::find(others.begin(), others.end(), loop) != others.end()) continue;
      rounds *= static_cast<double>(tiles_in_part(plan, plan.outer[at(k)]));
    }
    const TransferShape shape =
        transfer_shape(tensor, in.body->shapes[at(t)], tiles, ragged, engine.ranks);
    const bool both = is_partial(stage, plan, t, around);
    for (const bool is_get : {true, false}) {
      if (is_get && tensor.direction == AccessDirection::Write && !both) continue;
      if (!is_get && tensor.direction == AccessDirection::Read) continue;
      const double moved = engine_cycles(shape, is_get, target, engine) * share * all_parts *
                           rounds * filled(stage, plan, tensor);
      const double mine = my_parts * rounds;
      const double start = is_get ? static_cast<double>(engine.startup_cycles)
                                  : static_cast<double>(engine.put_startup_cycles);
      out.compute += mine * kRequestCycles * static_cast<double>(shape.requests);
      if (plan.depths[at(t)] == 2) {
        // A core stands at the request that its channel has no room for.
        const double seen = std::max(
            0.0, 1 - static_cast<double>(engine.max_pending) / static_cast<double>(shape.requests));
        out.waits += seen * moved;
        out.hidden += (1 - seen) * moved;
        out.fill += my_parts * start + moved / rounds;
        out.drain = std::max(out.drain, computing / rounds);
      } else {
        out.waits += moved + mine * start;
      }
    }
  }
  const double line =
      target.timing->instruction_cache ? target.timing->instruction_cache->main_cycles : 0;
  out.fixed = kCodeLines * line + static_cast<double>(engine.startup_cycles);
  return out;
}

double start_cycles(const Target& target) {
  return target.timing->spawn_cycles + target.timing->join_cycles;
}

}  // namespace solway::memory_planner
