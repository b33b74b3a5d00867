#include "driver/write_fused_nest.h"

#include <memory>
#include <optional>

#include "driver/detail/nest_writer.h"
#include "driver/planned_draft.h"
#include "schedule/compute_at.h"

namespace solway::driver {
namespace {

using memory_planner::NestPlan;
using memory_planner::PlannedStage;
using memory_planner::TensorModel;
using schedule::LoopId;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// The product within a tile of its reader: only loops of the reduction are cut.
struct WithinTile {
  PlannedStage stage;
  NestPlan plan;
};

class FusedWriter {
 public:
  FusedWriter(const schedule::State& state, const FusedNest& nest, const NestPlan& plan,
              const SourceLoc& where)
      : nest_(nest), plan_(plan), where_(where), state_(state), pieces_(nest.reader_loops.size()) {}

  WrittenNest write() {
    write_loops();
    write_inside();
    return take();
  }

  /// Neither a product nor what reads it plainly does.
  static bool depends_on_itself() { return false; }

  schedule::State& state() { return product_ ? product_->state() : state_; }

  WrittenNest take() {
    if (!product_) return {std::move(state_), {}, {}, {}, refused_};
    WrittenNest out = product_->take();
    out.parallel = parallel_;
    out.buffers.insert(out.buffers.end(), buffers_.begin(), buffers_.end());
    out.remarks.insert(out.remarks.end(), remarks_.begin(), remarks_.end());
    return out;
  }

  void write_loops() {
    if (!needs_all_tiles()) {
      refuse("'" + nest_.reader + "' needs nothing of the last tiles");
      return;
    }
    for (std::size_t k = 0; k < pieces_.size(); ++k) split_loop(k);
    reorder_loops();
    std::vector<LoopId> parts;
    for (const int k : plan_.parallel) parts.push_back(pieces_[at(k)].part);
    const bool is_level = !parts.empty() && parts.back() == level_;
    parallel_ = run_on_cores(state_, nest_.reader, parts, plan_, where_);
    for (std::size_t p = 0; p < parts.size(); ++p) pieces_[at(plan_.parallel[p])].part = parts[p];
    if (is_level) level_ = parts.back();
    if (!refused_) place_product();
    if (product_) product_->write_loops();
  }

  bool write_inside() {
    if (!product_) return false;
    for (std::size_t t = 0; t < nest_.stage.model.tensors.size(); ++t) {
      if (nest_.stage.model.tensors[t].is_epilogue) add_buffer(t);
    }
    if (vector_ != kNoLoop) {
      state() = schedule::vectorize(state(), nest_.reader, vector_, where_);
    }
    return product_->write_inside();
  }

 private:
  /// Whether each tile of the product has an element for the reader: all cores then go through as
  /// many tiles.
  bool needs_all_tiles() const {
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const LoopId id = nest_.reader_loops[k];
      if (id == kNoLoop) continue;
      const std::int64_t tile = plan_.cuts[k].tile;
      const std::int64_t last = state_.order.loop(id).extent() - 1;
      if (last / tile != (nest_.stage.model.loops[k].extent - 1) / tile) return false;
    }
    return true;
  }

  /// The product has to be computed by itself.
  void refuse(const std::string& why) { refused_ = {-1, "computed by itself", why}; }

  void split_loop(std::size_t k) {
    LoopId rest = nest_.reader_loops[k];
    if (rest == kNoLoop) return;
    const bool is_vector = rest == nest_.vector;
    const memory_planner::LoopCut& cut = plan_.cuts[k];
    Pieces& pieces = pieces_[k];
    const auto take_off = [&](const std::vector<int>& loops, std::int64_t size, LoopId& piece) {
      const bool is_cut = std::find(loops.begin(), loops.end(), static_cast<int>(k)) != loops.end();
      if (!is_cut || rest == kNoLoop) return;
      if (size > 1) {
        piece = split_off(state_, nest_.reader, rest, size, where_);
      } else {
        piece = std::exchange(rest, kNoLoop);
      }
    };
    take_off(plan_.parallel, cut.part, pieces.part);
    take_off(plan_.outer, cut.tile, pieces.outer);
    pieces.inner = rest;
    if (is_vector) vector_ = rest;
  }

  /// Parts, tiles, and what is left in the reader's own order, the loop in vectors innermost.
  void reorder_loops() {
    std::vector<LoopId> order;
    for (const int k : plan_.parallel) order.push_back(pieces_[at(k)].part);
    for (const int k : plan_.outer) {
      if (pieces_[at(k)].outer != kNoLoop) order.push_back(pieces_[at(k)].outer);
    }
    if (order.empty()) {
      refuse("one tile of '" + nest_.reader + "' is all of it");
      return;
    }
    level_ = order.back();
    for (const LoopId id : state_.stage_loops.at(nest_.reader)) {
      const bool is_there = std::find(order.begin(), order.end(), id) != order.end();
      if (!is_there && id != vector_) order.push_back(id);
    }
    if (vector_ != kNoLoop) order.push_back(vector_);
    if (order == state_.stage_loops.at(nest_.reader)) return;
    state_ = schedule::reorder(state_, nest_.reader, order, where_);
  }

  void place_product() {
    const std::string& product = nest_.stage.model.name;
    const auto region = nest_.is_part ? schedule::TileRegion::Whole : schedule::TileRegion::Exact;
    const schedule::State placed =
        schedule::compute_at(state_, product, nest_.reader, level_, where_, region);
    const std::vector<LoopId>& shared = placed.stage_loops.at(nest_.reader);
    within_ = std::make_shared<WithinTile>(WithinTile{nest_.stage, plan_});
    within_->stage.loops.clear();
    for (const LoopId id : placed.stage_loops.at(product)) {
      if (std::find(shared.begin(), shared.end(), id) == shared.end()) {
        within_->stage.loops.push_back(id);
      }
    }
    if (within_->stage.loops.size() != nest_.stage.loops.size()) {
      refuse("'" + product + "' has other loops in a tile");
      return;
    }
    NestPlan& plan = within_->plan;
    plan.parallel.clear();
    plan.outer.clear();
    for (const int k : plan_.outer) {
      if (pieces_[at(k)].outer == kNoLoop) plan.outer.push_back(k);
    }
    for (std::size_t k = 0; k < plan.cuts.size(); ++k) {
      memory_planner::LoopModel& loop = within_->stage.model.loops[k];
      if (loop.kind == dsl::AxisKind::Reduce) continue;
      plan.cuts[k].part = loop.extent = plan.cuts[k].tile;
    }
    product_.emplace(placed, within_->stage, within_->plan, where_, enclosing());
  }

  EnclosingTiles enclosing() const {
    EnclosingTiles out;
    if (!plan_.outer.empty()) out.outermost = pieces_[at(plan_.outer.front())].outer;
    const memory_planner::StageModel& model = nest_.stage.model;
    for (int t = 0; t < static_cast<int>(model.tensors.size()); ++t) {
      out.around.push_back(position_of(at(t)));
      out.early.push_back(memory_planner::can_load_early(model, plan_, t));
      out.across.push_back(memory_planner::can_run_across(model, plan_, t));
    }
    return out;
  }

  /// The reader's loop inside which the transfers of a tensor stand, unless one of the reduction
  /// is.
  LoopId position_of(std::size_t t) const {
    const int around = memory_planner::loops_around(nest_.stage.model, plan_, static_cast<int>(t));
    if (around > 0) return pieces_[at(plan_.outer[at(around - 1)])].outer;
    return plan_.parallel.empty() ? kNoLoop : pieces_[at(plan_.parallel.back())].part;
  }

  void add_buffer(std::size_t t) {
    const TensorModel& tensor = nest_.stage.model.tensors[t];
    PlacedBuffer request;
    request.stage = nest_.reader;
    request.tensor = tensor.name;
    request.depth = plan_.depths[t];
    const LoopId position = position_of(t);
    request.at = position == kNoLoop ? level_ : position;
    const auto buffer = try_buffer(state(), access_kind(tensor), request, remarks_, where_);
    if (!buffer) return;
    buffers_.push_back(*buffer);
    if (memory_planner::is_late(plan_, static_cast<int>(t))) {
      move_while_unused(state(), *buffer, nest_.reader, remarks_, where_);
    }
  }

  const FusedNest& nest_;
  const NestPlan& plan_;
  SourceLoc where_;
  schedule::State state_;  ///< until the product is placed
  std::vector<Pieces> pieces_;
  LoopId level_ = kNoLoop;   ///< the innermost loop over tiles
  LoopId vector_ = kNoLoop;  ///< the part within a tile
  std::string parallel_;
  std::vector<std::string> buffers_;
  Remarks remarks_;
  std::optional<RefusedChoice> refused_;  ///< then the product is not placed
  std::shared_ptr<WithinTile> within_;    ///< outlives copies of `product_`, which refers to it
  std::optional<NestWriter> product_;
};

}  // namespace

WrittenNest write_fused_nest(const schedule::State& state, const FusedNest& nest,
                             const NestPlan& plan, const SourceLoc& where) {
  if (auto out = try_draft(FusedWriter(state, nest, plan, where), where)) return *std::move(out);
  return FusedWriter(state, nest, plan, where).write();
}

}  // namespace solway::driver
