#include "driver/fuse_epilogue.h"

#include <algorithm>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/reader_loops.h"
#include "memory_planner/vector_body_cost.h"
#include "schedule/compute_at.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/vectors_at_once.h"

namespace solway::driver {
namespace {

using memory_planner::VectorPlan;
using memory_planner::VectorStage;
using schedule::LoopId;
using schedule::State;

/// Cycles of a body for one vector from which on, as with an exponential, it needs so many
/// registers that those of several rows at once would be spilled.
constexpr double kLongBody = 12;

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// Tiles the reader's loops as the plan tiles those of the product.
class ReaderTiles {
 public:
  ReaderTiles(State state, const VectorStage& product, const VectorPlan& plan, std::string reader,
              std::vector<LoopId> loops, const SourceLoc& where)
      : state_(std::move(state)),
        product_(product),
        plan_(plan),
        reader_(std::move(reader)),
        inner_(std::move(loops)),
        outer_(inner_.size(), kNoLoop),
        where_(where) {}

  /// The innermost loop over tiles, in lanes the loop of these; kNoLoop when one tile is all.
  LoopId tile() {
    std::vector<LoopId> rest = others();
    for (std::size_t k = 0; k < inner_.size(); ++k) {
      if (!(in_lanes() && k == lanes())) split_loop(k);
    }
    std::vector<LoopId> order = rest;
    LoopId innermost = rest.empty() ? kNoLoop : rest.back();
    if (const LoopId groups = split_groups(); groups != kNoLoop) order.push_back(groups);
    for (const int k : plan_.outer) {
      if (outer_[position(k)] == kNoLoop) continue;
      order.push_back(innermost = outer_[position(k)]);
    }
    if (in_lanes()) order.push_back(innermost = inner_[lanes()]);
    for (std::size_t k = 0; k < inner_.size(); ++k) {
      if (inner_[k] != kNoLoop && k != lanes()) order.push_back(inner_[k]);
    }
    if (!in_lanes() && inner_[lanes()] != kNoLoop) order.push_back(inner_[lanes()]);
    if (order != state_.stage_loops.at(reader_)) {
      state_ = schedule::reorder(state_, reader_, order, where_);
    }
    return innermost;
  }

  /// Columns in vectors; rows without jumps, those of a long body one after the other.
  State marked(State state, const Target& target) const {
    const schedule::Statement& body =
        state.program->statement(schedule::statements_of(state, reader_).front());
    const bool is_long = memory_planner::cost_of_body(body, target).cycles >= kLongBody;
    for (std::size_t k = 0; k < inner_.size(); ++k) {
      if (inner_[k] == kNoLoop || k == lanes() || (is_long && !in_lanes())) continue;
      state = schedule::unroll(state, reader_, inner_[k], where_);
    }
    if (inner_[lanes()] == kNoLoop) return state;
    LoopId vector = inner_[lanes()];
    if (plan_.in_blocks && state.order.loop(vector).extent() > product_.lanes) {
      schedule::SplitResult made = schedule::split(state, reader_, vector, product_.lanes, where_);
      state = schedule::unroll(made.state, reader_, made.outer, where_);
      vector = made.inner;
    }
    return schedule::vectorize(state, reader_, vector, where_);
  }

  const State& state() const { return state_; }

 private:
  /// Where a spatial loop of the product stands among them.
  std::size_t position(int loop) const {
    std::size_t out = 0;
    for (int k = 0; k < loop; ++k) {
      if (product_.loops[index(k)].kind == dsl::AxisKind::Spatial) ++out;
    }
    return out;
  }
  std::size_t lanes() const { return position(plan_.vector); }
  /// Whether the loop over vectors stands around the reduction.
  bool in_lanes() const { return memory_planner::holds_in_lanes(product_, plan_); }

  /// Loops of the reader that do not run along the product.
  std::vector<LoopId> others() const {
    std::vector<LoopId> out;
    for (const LoopId id : state_.stage_loops.at(reader_)) {
      if (std::find(inner_.begin(), inner_.end(), id) == inner_.end()) out.push_back(id);
    }
    return out;
  }

  void split_loop(std::size_t k) {
    LoopId& id = inner_[k];
    if (id == kNoLoop) return;
    std::int64_t held = 1;
    for (std::size_t n = 0; n < product_.loops.size(); ++n) {
      const bool is_this =
          product_.loops[n].kind == dsl::AxisKind::Spatial && position(static_cast<int>(n)) == k;
      if (is_this) held = plan_.held[n] * (k == lanes() ? product_.lanes : 1);
    }
    if (held >= state_.order.loop(id).extent()) return;
    if (held == 1) {
      outer_[k] = id;
      id = kNoLoop;
      return;
    }
    schedule::SplitResult made = schedule::split(state_, reader_, id, held, where_);
    state_ = std::move(made.state);
    outer_[k] = made.outer;
    id = made.inner;
  }

  /// The loop over groups of tiles; kNoLoop where all are one group.
  LoopId split_groups() {
    if (plan_.groups.loop < 0) return kNoLoop;
    LoopId& tiles = outer_[position(plan_.groups.loop)];
    if (tiles == kNoLoop || plan_.groups.size >= state_.order.loop(tiles).extent()) return kNoLoop;
    schedule::SplitResult made = schedule::split(state_, reader_, tiles, plan_.groups.size, where_);
    state_ = std::move(made.state);
    tiles = made.inner;
    return made.outer;
  }

  State state_;
  const VectorStage& product_;
  const VectorPlan& plan_;
  std::string reader_;
  std::vector<LoopId> inner_;  ///< per spatial loop of the product, what of it runs in a tile
  std::vector<LoopId> outer_;  ///< the loop over tiles
  SourceLoc where_;
};

/// The plan in the loops that the product has in its tile: all of each is held.
VectorPlan within_tile(const VectorStage& placed, const VectorPlan& plan) {
  VectorPlan out = plan;
  out.in_registers = false;  // the tile is near memory already
  out.groups = {};
  for (std::size_t k = 0; k < placed.loops.size(); ++k) {
    if (placed.loops[k].kind != dsl::AxisKind::Spatial || static_cast<int>(k) == plan.vector) {
      continue;
    }
    out.held[k] = std::max<std::int64_t>(1, placed.loops[k].extent);
  }
  return out;
}

/// The plan in the loops of a product that each lane of its reader's loop computes: all rows are
/// held, which are places of its own, and the reader says what runs in vectors.
VectorPlan within_lane(const VectorStage& placed, const VectorPlan& plan) {
  VectorPlan out = within_tile(placed, plan);
  out.vector = -1;
  out.outer.clear();
  for (std::size_t k = 0; k < placed.loops.size(); ++k) {
    if (placed.loops[k].kind != dsl::AxisKind::Spatial) continue;
    const bool is_lane = static_cast<int>(k) == plan.vector;
    out.held[k] = is_lane ? 1 : std::max<std::int64_t>(1, placed.loops[k].extent);
    out.outer.push_back(static_cast<int>(k));
  }
  return out;
}

}  // namespace

std::optional<FusedEpilogue> fuse_epilogue(const State& state, const VectorStage& product,
                                           const VectorPlan& plan, const Target& target,
                                           const SourceLoc& where) {
  if (plan.vector < 0 || !plan.in_registers || plan.blocked >= 0 || product.statements != 1) {
    return std::nullopt;
  }
  const bool in_lanes = memory_planner::holds_in_lanes(product, plan);
  // Lanes of a number that is known when the kernel runs have no tile in near memory; a panel
  // would be copied in each.
  if (product.is_scalable && !plan.in_blocks && !in_lanes) return std::nullopt;
  if (in_lanes && !plan.panels.empty()) return std::nullopt;
  // A vector that is stored in part takes its tile out of the registers.
  const std::int64_t lanes_extent = product.loops[index(plan.vector)].extent;
  if (!in_lanes && lanes_extent % product.lanes != 0) return std::nullopt;
  if (!in_lanes && !memory_planner::stores_neighbours(product, plan)) return std::nullopt;
  const std::optional<OnlyRead> read = only_read(state, product.name);
  if (!read) return std::nullopt;
  const std::string reader = state.program->statement(read->statement).stage;
  if (!computes_plainly(state, reader)) return std::nullopt;
  std::vector<std::int64_t> extents;
  for (const auto& loop : product.loops) {
    if (loop.kind == dsl::AxisKind::Spatial) extents.push_back(loop.extent);
  }
  const auto loops = reader_loops(state, *read, extents);
  if (!loops) return std::nullopt;
  VectorPlan tile = plan;
  tile.in_blocks =
      plan.in_blocks || (!in_lanes && plan.held[index(plan.vector)] > kMostVectorsWritten);
  ReaderTiles tiles(state, product, tile, reader, *loops, where);
  const LoopId level = tiles.tile();
  if (level == kNoLoop) return std::nullopt;
  const State placed =
      schedule::compute_at(tiles.state(), product.name, reader, level, where,
                           schedule::TileRegion::Exact, in_lanes ? "register" : "");
  const VectorStage inside = memory_planner::describe_stage(placed, product.name, target);
  if (inside.loops.size() != product.loops.size()) return std::nullopt;
  FusedEpilogue out;
  out.reader = reader;
  out.written = write_vector_plan(
      placed, inside, in_lanes ? within_lane(inside, tile) : within_tile(inside, tile), where);
  out.written.state = tiles.marked(out.written.state, target);
  return out;
}

}  // namespace solway::driver
