#include "memory_planner/plan_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "memory_planner/border_cost.h"
#include "memory_planner/compute_cost.h"
#include "memory_planner/epilogue.h"
#include "memory_planner/shared_read_cost.h"
#include "memory_planner/slants.h"
#include "memory_planner/sliding_cost.h"
#include "memory_planner/transfer_cost.h"
#include "memory_planner/transfer_waits.h"
#include "memory_planner/turning.h"
#include "memory_planner/widened_cost.h"

namespace solway::memory_planner {
namespace {

constexpr double kRequestCycles = 40;  // of generated code, to ask for a transfer and look for it
constexpr double kCopyCycles = 4;      // of generated code, to store an element that was loaded
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

/// Cycles in which a core stores what sums begin with, each by itself, as an output that its
/// reduction comes back to is in main memory then.
double first_values(const CostInputs& in, const TensorModel& tensor, const BoxCost& box) {
  double elems = 1;
  for (const DimModel& dim : tensor.dims) elems *= static_cast<double>(dim.extent);
  return elems * box.my_parts / box.all_parts *
         main_memory_cycles(*in.target, AccessDirection::Write, in.target->cores.count);
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
  if (unit_of(plan, tensor) > 0 && !has_one_lead(stage, plan, tensor)) return false;
  return !stage.tensors[at(tensor)].is_local && loops_around(stage, plan, tensor) > 0;
}

bool can_run_across(const StageModel& stage, const NestPlan& plan, int tensor) {
  const TensorModel& one = stage.tensors[at(tensor)];
  return can_overlap(stage, plan, tensor) && loops_around(stage, plan, tensor) > 1 &&
         one.elsewhere.empty() && !is_sliding(plan, tensor) && !one.is_epilogue;
}

bool runs_ahead(const StageModel& stage, const NestPlan& plan, int tensor) {
  const int depth = plan.depths[at(tensor)];
  const bool is_turned = stage.tensors[at(tensor)].turning.has_value();
  return depth == 2 || (depth == 1 && is_turned && can_load_early(stage, plan, tensor));
}

bool can_put_late(const StageModel& stage, const NestPlan& plan, int tensor) {
  const TensorModel& one = stage.tensors[at(tensor)];
  return one.is_epilogue && one.direction == AccessDirection::Write &&
         can_overlap(stage, plan, tensor);
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
    out.columns = std::min(mesh_of(plan)[1], parts_of(stage, plan, plan.parallel[1]));
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

std::vector<TileEnds> tile_ends(const StageModel& stage, const NestPlan& plan) {
  std::vector<TileEnds> out;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    const LoopCut& cut = plan.cuts[k];
    const std::int64_t extent = stage.loops[k].extent;
    TileEnds& ends = out.emplace_back();
    if (cut.part < extent) ends.part = cut.part;
    ends.tail = std::gcd(cut.part % cut.tile, extent % cut.part % cut.tile);
  }
  return out;
}

/// Cycles of a core to copy a box of so many elements one by one.
double copy_cycles(const TransferShape& shape, std::int64_t element_bytes,
                   AccessDirection direction, const Target& target) {
  const std::int64_t elems = shape.blocks * shape.block_bytes / element_bytes;
  return static_cast<double>(elems) *
         (main_memory_cycles(target, direction, target.cores.count) + kCopyCycles);
}

/// What it takes to move a box of tensor `t`, by the engine or by a core.
void move_box(const CostInputs& in, int t, const TransferShape& shape, BoxCost& out) {
  const TensorModel& tensor = in.stage->tensors[at(t)];
  const TransferEngine& engine = *in.engine;
  if (!is_moved_by(engine, shape, tensor.element_bytes)) {
    out.requests = 0;
    out.copying_in = copy_cycles(shape, tensor.element_bytes, AccessDirection::Read, *in.target);
    out.copying_out = copy_cycles(shape, tensor.element_bytes, AccessDirection::Write, *in.target);
    return;
  }
  out.requests = static_cast<double>(shape.requests);
  out.got = engine_cycles(shape, true, *in.target, engine);
  if (tensor.direction == AccessDirection::Write) {
    out.put = engine_cycles(shape, false, *in.target, engine);
  }
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
  std::optional<TransferShape> widened;
  if (unit_of(plan, t) > 0 && !together) widened = widened_shape(stage, plan, t, engine);
  const TransferShape shape =
      widened ? *widened
              : transfer_shape(together  ? together->part
                               : landing ? *landing
                                         : tensor,
                               shape_in_memory(tensor, in.body->shapes[at(t)]), tiles,
                               ragged_loops(stage, plan), engine.ranks, tile_ends(stage, plan));
  move_box(in, t, shape, out);
  if (!tensor.border.empty()) {
    const BorderCost border = border_cost(stage, tensor, in.body->shapes[at(t)], tiles);
    out.cut = border.cut;
    out.rows = static_cast<double>(shape.blocks);
    out.filling = border.cycles;
  }
  if (!tensor.slants.empty()) {
    const SlantCost slants = slant_cost(tensor, tiles);
    out.cut = slants.cut;
    out.rows = slants.rows;
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
  out.around = around;
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
  out.is_late = is_late(plan, t) && can_put_late(stage, plan, t);
  out.my_parts = box.my_parts;
  out.requests = box.requests;
  out.cut = box.cut;
  out.rows = box.rows;
  const double boxes = box.all_parts * out.rounds * box.filled * box.readers;
  const double mine = box.my_parts * out.rounds;
  out.exchanging = mine * box.exchanging + mine * box.filling;
  double got = box.got;
  double copied = box.copying_in;
  out.is_copied = box.copying_in > 0;
  const auto overlap = is_sliding(plan, t) ? tile_overlap(stage, plan, t) : std::nullopt;
  if (overlap) {
    const Tiles tiles = tiles_of(plan, t);
    const double later = (out.series - 1) / out.series;  // the first tile of a series is whole
    const TransferShape fresh =
        transfer_shape(fresh_part(tensor, *overlap), in.body->shapes[at(t)], tiles,
                       ragged_loops(stage, plan), engine.ranks, tile_ends(stage, plan));
    BoxCost moved;
    move_box(in, t, fresh, moved);
    got += later * (moved.got - got);
    copied += later * (moved.copying_in - copied);
    out.requests += later * (moved.requests - out.requests);
    out.rows += later * (static_cast<double>(fresh.blocks) - out.rows);
    out.exchanging += mine * later * slide_cycles(tensor, *overlap, tiles, *in.target);
  }
  const bool both = is_partial(stage, plan, t, around);
  const bool is_read = tensor.direction == AccessDirection::Read;
  if (both && in.body->is_reduction) out.exchanging += first_values(in, tensor, box);
  if (is_read || both) {
    out.got = got * box.bus * boxes;
    if (got > 0) out.get_start = static_cast<double>(engine.startup_cycles);
    out.exchanging += mine * box.filled * copied;
    ++out.directions;
  }
  if (!is_read) {
    out.put = box.put * box.bus * boxes;
    if (box.put > 0) out.put_start = static_cast<double>(engine.put_startup_cycles);
    out.exchanging += mine * box.filled * box.copying_out;
    ++out.directions;
  }
  return out;
}

TensorCost tensor_cost(const CostInputs& in, const NestPlan& plan, int t) {
  return tensor_cost(in, plan, t, box_cost(in, plan, t));
}

namespace {

/// Per tensor, whether something else is done while all of its transfers are on their way.
std::vector<bool> overlapped(const std::vector<TensorCost>& tensors,
                             const std::vector<int>& depths) {
  std::vector<bool> out;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    out.push_back(depths[t] == 2 || (depths[t] == 1 && tensors[t].is_late));
  }
  return out;
}

/// From the request of a tensor's tile to its first bytes, and back. What one place loads into one
/// region each it asks for together (schedule/buffer.cpp), so that only the first is waited for.
double starts_of(const std::vector<TensorCost>& tensors, const std::vector<int>& depths,
                 std::size_t t) {
  const auto is_asked_for_there = [&](std::size_t other) {
    const TensorCost& one = tensors[other];
    return depths[other] == 1 && one.get_start > 0 && one.unused == 0 && one.put_start == 0;
  };
  double out = tensors[t].get_start + tensors[t].put_start;
  if (!is_asked_for_there(t)) return out;
  for (std::size_t other = 0; other < t; ++other) {
    const bool is_first = is_asked_for_there(other) && tensors[other].around == tensors[t].around;
    if (is_first) return tensors[t].put_start;
  }
  return out;
}

/// Of a core, to ask for a tensor's transfers, and for what it does with what has come.
double core_cycles(const TensorCost& one) {
  const double mine = one.my_parts * one.rounds;
  const double more =
      one.cut * (one.rows - one.requests);  // of what is loaded, or of what is stored
  return mine * kRequestCycles * (one.directions * one.requests + more) + one.exchanging;
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
    const double early =
        one.unused > 0 ? loaded_early(*in.engine, tensors, depths, t, computing) : 0;
    least.moving += std::min(early, moved);
    waits += moved + one.my_parts * one.rounds * starts_of(tensors, depths, t) - early;
  }
  return least_total(in, least) + waits;
}

PlanCost total_of(const CostInputs& in, double computing, const std::vector<TensorCost>& tensors,
                  const std::vector<int>& depths) {
  const TransferEngine& engine = *in.engine;
  PlanCost out;
  out.compute = computing;
  const std::vector<bool> overlap = overlapped(tensors, depths);
  const std::vector<double> seen = shares_seen(engine, tensors, overlap);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (depths[t] == 0) continue;
    const TensorCost& one = tensors[t];
    const double mine = one.my_parts * one.rounds;
    const double moved = one.got + one.put;
    out.compute += core_cycles(one);
    if (overlap[t]) {
      double seen_put = seen[t];
      if (one.put > 0) {
        seen_put = std::max({seen_put, share_read_behind(tensors, depths, one.rounds),
                             share_crowded(engine, tensors, depths, t)});
      }
      if (one.is_late) {
        seen_put = std::max(seen_put, share_begun_behind(tensors, depths, one.rounds));
      }
      const double waited = seen[t] * one.got + seen_put * one.put;
      out.waits += waited;
      out.hidden += moved - waited;
      const double starts = one.get_start + one.put_start;
      out.fill += mine / one.series * starts + moved / one.series;
      // A region that is alone does not keep those of others from moving.
      if (depths[t] == 2) out.drain = std::max(out.drain, computing / one.series);
    } else {
      const double early = one.unused > 0 ? loaded_early(engine, tensors, depths, t, computing) : 0;
      out.waits += moved + mine * starts_of(tensors, depths, t) - early;
      out.hidden += std::min(early, moved);
      if (std::isinf(one.unused)) {  // but for the time in which it is turned
        out.drain = std::max(out.drain, computing / one.series + one.exchanging);
      }
    }
  }
  out.bursts = bursts_of(computing, tensors, overlap);
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
