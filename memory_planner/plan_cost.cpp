#include "memory_planner/plan_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "memory_planner/border_cost.h"
#include "memory_planner/compute_cost.h"
#include "memory_planner/epilogue.h"
#include "memory_planner/shared_read_cost.h"
#include "memory_planner/sliding_cost.h"
#include "memory_planner/transfer_cost.h"
#include "memory_planner/turning.h"

namespace solway::memory_planner {
namespace {

constexpr double kRequestCycles = 40;  // of generated code, to ask for a transfer and look for it
constexpr int kCodeLines = 12;         // of the instruction cache, that a stage's code takes

std::size_t at(int k) { return static_cast<std::size_t>(k); }

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
    const int loop = plan.outer[at(k - 1)];
    if (is_around_windows(plan, tensor, loop)) continue;
    if (depends(stage.tensors[at(tensor)], loop)) return k;
  }
  return 0;
}

bool can_overlap(const StageModel& stage, const NestPlan& plan, int tensor) {
  return !stage.tensors[at(tensor)].is_local && loops_around(stage, plan, tensor) > 0;
}

bool can_run_across(const StageModel& stage, const NestPlan& plan, int tensor) {
  const TensorModel& one = stage.tensors[at(tensor)];
  return can_overlap(stage, plan, tensor) && loops_around(stage, plan, tensor) > 1 &&
         one.elsewhere.empty() && !is_sliding(plan, tensor) && !has_epilogue(stage);
}

bool can_load_early(const StageModel& stage, const NestPlan& plan, int tensor) {
  const TensorModel& one = stage.tensors[at(tensor)];
  if (one.direction != AccessDirection::Read || one.is_epilogue || is_sliding(plan, tensor)) {
    return false;
  }
  if (!one.turning && !has_epilogue(stage)) return false;
  if (!can_overlap(stage, plan, tensor)) return false;
  if (one.turning) return true;
  const auto innermost = static_cast<int>(plan.outer.size());
  return loops_around(stage, plan, tensor) == innermost &&
         stage.loops[at(plan.outer.back())].kind == dsl::AxisKind::Spatial;
}

namespace {

/// Loops whose last tile is smaller than others.
std::vector<bool> ragged_loops(const StageModel& stage, const NestPlan& plan) {
  std::vector<bool> out;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    const LoopCut& cut = plan.cuts[k];
    const std::int64_t last_part = stage.loops[k].extent % cut.part;
    out.push_back(last_part % cut.tile != 0 || cut.part % cut.tile != 0);
  }
  return out;
}

/// Parts of all parallel loops together, and those of the busiest core.
struct Parts {
  double all = 1;
  double mine = 1;
  std::int64_t columns = 1;  ///< of the mesh, on which cores work
};

Parts parts(const StageModel& stage, const NestPlan& plan, const Target& target) {
  Parts out;
  for (std::size_t p = 0; p < plan.parallel.size(); ++p) {
    const std::int64_t count = parts_of(stage, plan, plan.parallel[p]);
    const std::int64_t mine = (count + plan.grid[p] - 1) / plan.grid[p];
    out.all *= static_cast<double>(count);
    out.mine *= static_cast<double>(mine);
  }
  const std::int64_t mesh_columns = std::max(1, target.cores.mesh_columns);
  if (plan.parallel.size() == 1) out.columns = std::min(plan.grid[0], mesh_columns);
  if (plan.parallel.size() == 2) {
    out.columns = std::min(plan.grid[1], parts_of(stage, plan, plan.parallel[1]));
  }
  return out;
}

/// How much longer the busiest bus takes than if all shared the work.
double share_of_bus(std::int64_t columns, const Target& target, const TransferEngine& engine) {
  const std::int64_t mesh_columns = std::max(1, target.cores.mesh_columns);
  const auto of_bus = static_cast<double>(
      std::min(columns, std::max<std::int64_t>(1, mesh_columns / engine.buses)));
  return of_bus / static_cast<double>(columns) * engine.buses;
}

}  // namespace

BoxCost box_cost(const CostInputs& in, const NestPlan& plan, int t) {
  const StageModel& stage = *in.stage;
  const TensorModel& tensor = stage.tensors[at(t)];
  const TransferEngine& engine = *in.engine;
  BoxCost out;
  if (tensor.is_local) return out;
  const Parts cores = parts(stage, plan, *in.target);
  const Tiles tiles = tiles_of(plan, t);
  out.my_parts = cores.mine;
  out.all_parts = cores.all;
  out.filled = filled(stage, plan, tensor);
  std::int64_t columns = cores.columns;
  std::optional<SharedRead> together;
  if (shared_by(plan, t) != schedule::SharedBy::Core) {
    together = shared_read(stage, plan, t, *in.target);
    out.readers = static_cast<double>(together->lines * together->readers) /
                  static_cast<double>(together->cores);
    columns = together->columns;
    out.exchanging = together->exchange_cycles;
  }
  out.bus = share_of_bus(columns, *in.target, engine);
  std::optional<TensorModel> landing;
  if (!together && tensor.turning) landing = in_memory(tensor);
  const TransferShape shape = transfer_shape(together  ? together->part
                                             : landing ? *landing
                                                       : tensor,
                                             shape_in_memory(tensor, in.body->shapes[at(t)]), tiles,
                                             ragged_loops(stage, plan), engine.ranks);
  out.requests = static_cast<double>(shape.requests);
  out.got = engine_cycles(shape, true, *in.target, engine);
  if (tensor.direction == AccessDirection::Write) {
    out.put = engine_cycles(shape, false, *in.target, engine);
  }
  if (!tensor.border.empty()) {
    const BorderCost border = border_cost(stage, tensor, in.body->shapes[at(t)], tiles);
    out.cut = border.cut;
    out.rows = static_cast<double>(shape.blocks);
    out.filling = border.cycles;
  }
  if (tensor.turning) out.filling += turn_cycles(tensor, tiles, in.body->lanes);
  return out;
}

TensorCost tensor_cost(const CostInputs& in, const NestPlan& plan, int t, const BoxCost& box) {
  const StageModel& stage = *in.stage;
  const TensorModel& tensor = stage.tensors[at(t)];
  const TransferEngine& engine = *in.engine;
  TensorCost out;
  if (tensor.is_local) return out;
  const int around = loops_around(stage, plan, t);
  for (int k = 0; k < around; ++k) {
    const std::vector<int>& others = tensor.elsewhere;
    if (std::find(others.begin(), others.end(), plan.outer[at(k)]) != others.end()) continue;
    out.series = static_cast<double>(tiles_in_part(plan, plan.outer[at(k)]));
    out.rounds *= out.series;
  }
  if (is_across(plan, t) && can_run_across(stage, plan, t)) out.series = out.rounds;
  if (can_load_early(stage, plan, t)) {
    out.unused = tensor.turning ? std::numeric_limits<double>::infinity()
                                : epilogue_cycles(stage, *in.body, plan);
  }
  out.my_parts = box.my_parts;
  out.requests = box.requests;
  out.cut = box.cut;
  out.rows = box.rows;
  const double boxes = box.all_parts * out.rounds * box.filled * box.readers;
  const double mine = box.my_parts * out.rounds;
  out.exchanging = mine * box.exchanging + mine * box.filling;
  double got = box.got;
  const auto overlap = is_sliding(plan, t) ? tile_overlap(stage, plan, t) : std::nullopt;
  if (overlap) {
    const Tiles tiles = tiles_of(plan, t);
    const double later = (out.series - 1) / out.series;  // the first tile of a series is whole
    const TransferShape fresh = transfer_shape(fresh_part(tensor, *overlap), in.body->shapes[at(t)],
                                               tiles, ragged_loops(stage, plan), engine.ranks);
    got += later * (engine_cycles(fresh, true, *in.target, engine) - got);
    out.requests += later * (static_cast<double>(fresh.requests) - out.requests);
    out.exchanging += mine * later * slide_cycles(tensor, *overlap, tiles, *in.target);
  }
  const bool both = is_partial(stage, plan, t, around);
  const bool is_read = tensor.direction == AccessDirection::Read;
  if (is_read || both) {
    out.got = got * box.bus * boxes;
    out.get_start = static_cast<double>(engine.startup_cycles);
    ++out.directions;
  }
  if (!is_read) {
    out.put = box.put * box.bus * boxes;
    out.put_start = static_cast<double>(engine.put_startup_cycles);
    ++out.directions;
  }
  return out;
}

TensorCost tensor_cost(const CostInputs& in, const NestPlan& plan, int t) {
  return tensor_cost(in, plan, t, box_cost(in, plan, t));
}

namespace {

/// The engine serves requests in turn. What moves rarely, moves much at once for all cores, and the
/// next tile of what moves often is behind it: no more than one of its steps is there to hide that.
double bursts_of(double computing, const std::vector<TensorCost>& tensors,
                 const std::vector<int>& depths) {
  double often = 1;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (depths[t] == 2) often = std::max(often, tensors[t].my_parts * tensors[t].rounds);
  }
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const double mine = tensors[t].my_parts * tensors[t].rounds;
    if (depths[t] != 2 || mine >= often) continue;
    out += std::max(0.0, tensors[t].got + tensors[t].put - computing * mine / often);
  }
  return out;
}

/// How much of what is on its way a core waits for that has something else to do meanwhile: it
/// stands at the request that its channel has no room for.
double share_seen(const TransferEngine& engine, double requests) {
  return std::max(0.0, 1 - static_cast<double>(engine.max_pending) / requests);
}

/// The same of a tensor whose whole tiles take so many requests.
double share_seen(const TransferEngine& engine, const TensorCost& one, double requests) {
  const double cut = one.cut > 0 ? one.cut * share_seen(engine, one.rows) : 0;
  return (1 - one.cut) * share_seen(engine, requests) + cut;
}

/// The same of each tensor's transfers. The channel is that of all tensors: those that have room in
/// it alone need not have it together, and those that come more seldom are in it as often. What is
/// on its way of others is waited for, too, each time that one finds no room.
std::vector<double> shares_seen(const TransferEngine& engine,
                                const std::vector<TensorCost>& tensors,
                                const std::vector<int>& depths) {
  const auto times = [&](std::size_t other, std::size_t t) {
    return std::min(1.0, tensors[other].rounds / tensors[t].rounds);
  };
  const auto has_room_alone = [&](std::size_t t) {
    return depths[t] == 2 && tensors[t].cut == 0 && tensors[t].requests <= engine.max_pending;
  };
  std::vector<double> own(tensors.size(), 0);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (depths[t] != 2) continue;
    double requests = tensors[t].requests;
    for (std::size_t other = 0; other < tensors.size(); ++other) {
      const bool is_beside = other != t && has_room_alone(t) && has_room_alone(other);
      if (is_beside) requests += times(other, t) * tensors[other].requests;
    }
    own[t] = share_seen(engine, tensors[t], requests);
  }
  std::vector<double> out = own;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (std::size_t other = 0; other < tensors.size(); ++other) {
      out[t] = std::max(out[t], own[other] * times(other, t));
    }
  }
  return out;
}

/// What of a tensor that has one region is loaded while nothing uses it: the requests after the
/// last one that found no room are on their way then. The first tile of each series is not.
double loaded_early(const TransferEngine& engine, const TensorCost& one, double computing) {
  const double mine = one.my_parts * one.rounds;
  const double later = (one.series - 1) / one.series;
  const double moved = one.got * (1 - share_seen(engine, one, one.requests)) + mine * one.get_start;
  return std::min(std::min(one.unused, computing), moved) * later;
}

/// How much of what a tensor's buffers put is waited for: what is read into one region next stands
/// behind it, but for tiles that were asked for before.
double share_read_behind(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                         double put_rounds) {
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    if (depths[t] != 1 || one.got == 0 || std::isinf(one.unused)) continue;
    const double behind = one.unused == 0 ? one.rounds : one.rounds / one.series - 1;
    out = std::max(out, behind / put_rounds);
  }
  return std::min(1.0, out);
}

/// How much of what a tensor's buffers put is waited for, as it takes the room of requests that run
/// ahead in the same loop: a core stands at the first one for which there is none until that is
/// complete.
double share_crowded(const TransferEngine& engine, const std::vector<TensorCost>& tensors,
                     const std::vector<int>& depths, std::size_t put) {
  const double room = engine.max_pending;
  const double puts = std::min(room, tensors[put].requests);
  const auto crowded = [&](double gets) {
    return std::clamp((std::min(room, gets) + puts - room) / puts, 0.0, 1.0);
  };
  double out = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    const bool runs_ahead = depths[t] == 2 && one.got > 0 && one.series == one.rounds;
    if (t == put || !runs_ahead) continue;
    const double share =
        (1 - one.cut) * crowded(one.requests) + (one.cut > 0 ? one.cut * crowded(one.rows) : 0);
    out = std::max(out, share * std::min(1.0, one.rounds / tensors[put].rounds));
  }
  return out;
}

/// Of a core, to ask for a tensor's transfers, and for what it does with what has come.
double core_cycles(const TensorCost& one) {
  const double mine = one.my_parts * one.rounds;
  const double requests = (1 - one.cut) * one.requests + one.cut * one.rows;
  return one.directions * mine * kRequestCycles * requests + one.exchanging;
}

double fixed_cycles(const CostInputs& in) {
  const auto& cache = in.target->timing->instruction_cache;
  return kCodeLines * (cache ? cache->main_cycles : 0) +
         static_cast<double>(in.engine->startup_cycles);
}

}  // namespace

LeastCost least_of(const TensorCost& tensor) {
  return {core_cycles(tensor), tensor.got + tensor.put};
}

LeastCost least_of_both(const LeastCost& one, const LeastCost& other) {
  return {std::min(one.computing, other.computing), std::min(one.moving, other.moving)};
}

double least_total(const CostInputs& in, const LeastCost& cost) {
  return std::max(cost.computing, cost.moving) + fixed_cycles(in);
}

double least_total(const CostInputs& in, double computing, const std::vector<TensorCost>& tensors,
                   const std::vector<int>& depths) {
  LeastCost least{computing, 0};
  double waits = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorCost& one = tensors[t];
    const double moved = one.got + one.put;
    least.computing += core_cycles(one);
    if (depths[t] == 2) {
      least.moving += moved;
      continue;
    }
    const double early = one.unused > 0 ? loaded_early(*in.engine, one, computing) : 0;
    least.moving += std::min(early, moved);
    waits += moved + one.my_parts * one.rounds * (one.get_start + one.put_start) - early;
  }
  return least_total(in, least) + waits;
}

PlanCost total_of(const CostInputs& in, double computing, const std::vector<TensorCost>& tensors,
                  const std::vector<int>& depths) {
  const TransferEngine& engine = *in.engine;
  PlanCost out;
  out.compute = computing;
  const std::vector<double> seen = shares_seen(engine, tensors, depths);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (depths[t] == 0) continue;
    const TensorCost& one = tensors[t];
    const double mine = one.my_parts * one.rounds;
    const double moved = one.got + one.put;
    const double starts = one.get_start + one.put_start;
    out.compute += core_cycles(one);
    if (depths[t] == 2) {
      double seen_put = seen[t];
      if (one.put > 0) {
        seen_put = std::max({seen_put, share_read_behind(tensors, depths, one.rounds),
                             share_crowded(engine, tensors, depths, t)});
      }
      const double waited = seen[t] * one.got + seen_put * one.put;
      out.waits += waited;
      out.hidden += moved - waited;
      out.fill += mine / one.series * starts + moved / one.series;
      out.drain = std::max(out.drain, computing / one.series);
    } else {
      const double early = one.unused > 0 ? loaded_early(engine, one, computing) : 0;
      out.waits += moved + mine * starts - early;
      out.hidden += std::min(early, moved);
      if (std::isinf(one.unused)) {  // but for the time in which it is turned
        out.drain = std::max(out.drain, computing / one.series + one.exchanging);
      }
    }
  }
  out.bursts = bursts_of(computing, tensors, depths);
  out.fixed = fixed_cycles(in);
  return out;
}

PlanCost cost_of(const CostInputs& in, const NestPlan& plan) {
  const int count = static_cast<int>(in.stage->tensors.size());
  std::vector<TensorCost> tensors;
  for (int t = 0; t < count; ++t) tensors.push_back(tensor_cost(in, plan, t));
  return total_of(in, compute_cycles(*in.stage, *in.body, plan, *in.target), tensors, plan.depths);
}

double start_cycles(const Target& target) {
  return target.timing->spawn_cycles + target.timing->join_cycles;
}

}  // namespace solway::memory_planner
