#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/detail/order_turning.h"
#include "driver/detail/planned_primitives.h"
#include "driver/no_loop.h"
#include "driver/planned_draft.h"
#include "driver/refusal.h"
#include "memory_planner/epilogue.h"
#include "memory_planner/plan_cost.h"
#include "schedule/broadcast.h"
#include "schedule/compute_at.h"
#include "schedule/double_buffer.h"
#include "schedule/micro_kernel.h"
#include "schedule/reorder.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway::driver {

/// What a loop of the stage has become: kNoLoop where it was not split.
struct Pieces {
  schedule::LoopId part = kNoLoop;   ///< over parts: parallel
  schedule::LoopId outer = kNoLoop;  ///< over tiles
  schedule::LoopId inner = kNoLoop;  ///< of a tile, over what registers hold
  schedule::LoopId held = kNoLoop;
};

/// The tiles of another stage in which a stage is computed, by the plan of both.
struct EnclosingTiles {
  schedule::LoopId outermost = kNoLoop;  ///< the loop over them that is around all others, if any
  /// Per tensor, the loop inside which its transfers stand that no loop of the stage is around.
  std::vector<schedule::LoopId> around;
  std::vector<bool> early;   ///< whose one region is loaded early: memory_planner::can_load_early
  std::vector<bool> across;  ///< whose transfers may run on: memory_planner::can_run_across
};

/// Applies a plan to one stage.
class NestWriter {
 public:
  NestWriter(const schedule::State& state, const memory_planner::PlannedStage& stage,
             const memory_planner::NestPlan& plan, const SourceLoc& where,
             std::optional<EnclosingTiles> enclosing = {})
      : stage_(stage),
        plan_(plan),
        where_(where),
        enclosing_(std::move(enclosing)),
        out_{state, {}, {}, {}, {}} {}

  WrittenNest write() {
    write_loops();
    write_inside();
    return take();
  }

  schedule::State& state() { return out_.state; }
  bool depends_on_itself() const { return may_depend_on_itself(out_.state, name()); }
  WrittenNest take() { return std::move(out_); }

  void write_loops() {
    for (std::size_t k = 0; k < stage_.loops.size(); ++k) split_loop(k);
    reorder_loops();
    mark_parallel();
    for (std::size_t t = 0; t < stage_.model.tensors.size(); ++t) {
      if (is_staged(t) && stage_.model.tensors[t].turning) turn_tiles(t);
    }
  }

  /// False where a choice was refused: the stage is planned again, without it. What is read is
  /// asked for before what is changed.
  bool write_inside() {
    for (const auto direction :
         {memory_planner::AccessDirection::Read, memory_planner::AccessDirection::Write}) {
      for (std::size_t t = 0; t < stage_.model.tensors.size(); ++t) {
        if (is_staged(t) && stage_.model.tensors[t].direction == direction) add_buffer(t);
      }
    }
    if (plan_.micro_kernel) {
      call_micro_kernel();
    } else {
      mark_held();
    }
    out_.buffers.insert(out_.buffers.end(), turned_.begin(), turned_.end());
    return !out_.refused;
  }

 private:
  const std::string& name() const { return stage_.model.name; }

  schedule::LoopId split_off(schedule::LoopId& rest, std::int64_t factor) {
    return driver::split_off(out_.state, name(), rest, factor, where_);
  }

  void split_loop(std::size_t k) {
    const memory_planner::LoopCut& cut = plan_.cuts[k];
    Pieces& pieces = pieces_.emplace_back();
    schedule::LoopId rest = stage_.loops[k];
    const auto is = [&](const std::vector<int>& loops) {
      return std::find(loops.begin(), loops.end(), static_cast<int>(k)) != loops.end();
    };
    if (is(plan_.parallel)) {
      if (cut.part == 1) {
        pieces.part = rest;
        return;
      }
      pieces.part = split_off(rest, cut.part);
    }
    if (is(plan_.outer)) {
      if (cut.tile == 1) {
        pieces.outer = rest;
        return;
      }
      pieces.outer = split_off(rest, cut.tile);
    }
    if (needs_copies_for_zeros() && static_cast<int>(k) == plan_.micro_kernel->terms) {
      pieces.outer = split_off(rest, cut.tile);
    }
    const bool is_held = cut.held > 1;
    if (is_held && cut.held < cut.tile) {
      pieces.inner = split_off(rest, cut.held);
      pieces.held = rest;
    } else {
      (is_held ? pieces.held : pieces.inner) = rest;
    }
  }

  /// A micro-kernel adds to sums that were zeros before: their loops are others, which takes a loop
  /// of the reduction outside of them, if only one of a single iteration.
  bool needs_copies_for_zeros() const {
    if (!plan_.micro_kernel) return false;
    for (std::size_t k = 0; k < stage_.loops.size(); ++k) {
      const bool is_added = memory_planner::is_multiplied(*plan_.micro_kernel, static_cast<int>(k));
      const bool is_cut = plan_.cuts[k].tile < plan_.cuts[k].part;
      if (stage_.model.loops[k].kind == dsl::AxisKind::Reduce && (is_cut || !is_added))
        return false;
    }
    return true;
  }

  /// Parts; tiles; what is left of spatial loops, then of reductions; what registers hold, or what
  /// a micro-kernel multiplies.
  void reorder_loops() {
    std::vector<schedule::LoopId> order;
    const auto add = [&](schedule::LoopId id) {
      if (id != kNoLoop) order.push_back(id);
    };
    for (const int k : plan_.parallel) add(pieces_[static_cast<std::size_t>(k)].part);
    for (const int k : plan_.outer) add(pieces_[static_cast<std::size_t>(k)].outer);
    if (needs_copies_for_zeros()) {
      add(pieces_[static_cast<std::size_t>(plan_.micro_kernel->terms)].outer);
    }
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const bool is_reduce = stage_.model.loops[k].kind == dsl::AxisKind::Reduce;
      if (!is_reduce && !is_in_micro_kernel(k)) add(pieces_[k].inner);
    }
    for (const int k : memory_planner::reduction_order(stage_.model, plan_)) {
      const auto at = static_cast<std::size_t>(k);
      if (!is_in_micro_kernel(at)) add(pieces_[at].inner);
    }
    for (const schedule::LoopId id : multiplied_loops()) add(id);
    for (const bool reduces : {true, false}) {
      for (std::size_t k = 0; k < pieces_.size(); ++k) {
        const bool is_reduce = stage_.model.loops[k].kind == dsl::AxisKind::Reduce;
        if (is_reduce == reduces && static_cast<int>(k) != plan_.vector) add(pieces_[k].held);
      }
    }
    if (plan_.vector >= 0) add(pieces_[static_cast<std::size_t>(plan_.vector)].held);
    if (order == out_.state.stage_loops.at(name())) return;
    out_.state = schedule::reorder(out_.state, name(), order, where_);
  }

  /// Rows, columns, rounds and terms of a tile that a micro-kernel multiplies; none without.
  std::vector<schedule::LoopId> multiplied_loops() const {
    std::vector<schedule::LoopId> out;
    if (!plan_.micro_kernel) return out;
    const memory_planner::ProductForm& form = *plan_.micro_kernel;
    std::vector<int> loops = {form.rows, form.columns};
    loops.insert(loops.end(), form.rounds.begin(), form.rounds.end());
    loops.push_back(form.terms);
    for (const int k : loops) {
      if (k < 0 || pieces_[static_cast<std::size_t>(k)].inner == kNoLoop) continue;
      out.push_back(pieces_[static_cast<std::size_t>(k)].inner);
    }
    return out;
  }

  bool is_in_micro_kernel(std::size_t k) const {
    const std::vector<schedule::LoopId> loops = multiplied_loops();
    return std::find(loops.begin(), loops.end(), pieces_[k].inner) != loops.end();
  }

  void mark_parallel() {
    std::vector<schedule::LoopId> loops;
    for (const int k : plan_.parallel) loops.push_back(pieces_[static_cast<std::size_t>(k)].part);
    out_.parallel = run_on_cores(out_.state, name(), loops, plan_, where_);
    for (std::size_t p = 0; p < loops.size(); ++p) {
      pieces_[static_cast<std::size_t>(plan_.parallel[p])].part = loops[p];
    }
  }

  /// The epilogue's tensors are its own business, and what it reads of the product is near anyway.
  bool is_staged(std::size_t t) const {
    const memory_planner::TensorModel& tensor = stage_.model.tensors[t];
    const bool is_fused = memory_planner::has_epilogue(stage_.model);
    return plan_.depths[t] != 0 && !tensor.is_epilogue && !(is_fused && tensor.is_local);
  }

  bool is_turned(const std::string& tensor) const {
    return std::find(turned_.begin(), turned_.end(), tensor) != turned_.end();
  }

  /// Computes another layout of a tensor tile by tile, where it is read, in the order of its own
  /// dimensions. Where that is refused it is left in main memory, with a remark.
  void turn_tiles(std::size_t t) {
    const std::string& copy = stage_.model.tensors[t].name;
    const auto leave = [&](const Error& error) {
      out_.remarks.push_back(left_in_main_memory(copy, name(), error, where_));
    };
    unless_refused(
        [&] {
          const schedule::LoopId around = position_of(t);
          const std::string host = host_of(around);
          schedule::State placed = schedule::compute_at(out_.state, copy, host, around, where_);
          turn_loops(placed, host, stage_.model.tensors[t]);
          out_.state = std::move(placed);
          turned_.push_back(copy);
        },
        leave);
  }

  /// The stage of a loop: this one, or one in whose tiles this one is computed.
  std::string host_of(schedule::LoopId loop) const {
    const auto has = [&](const std::vector<schedule::LoopId>& loops) {
      return std::find(loops.begin(), loops.end(), loop) != loops.end();
    };
    const auto& all = out_.state.stage_loops;
    if (has(all.at(name()))) return name();
    const auto host =
        std::find_if(all.begin(), all.end(), [&](const auto& named) { return has(named.second); });
    return host == all.end() ? name() : host->first;
  }

  /// The loops of a copy that was placed.
  void turn_loops(schedule::State& state, const std::string& host,
                  const memory_planner::TensorModel& tensor) const {
    const std::vector<schedule::LoopId>& around = state.stage_loops.at(host);
    std::vector<schedule::LoopId> own;
    for (const schedule::LoopId id : state.stage_loops.at(tensor.name)) {
      if (std::find(around.begin(), around.end(), id) == around.end()) own.push_back(id);
    }
    if (own.size() == tensor.turning->dims.size()) {
      order_turning(state, own, tensor, plan_.micro_kernel.has_value(), where_);
    }
  }

  void add_buffer(std::size_t t) {
    const memory_planner::TensorModel& tensor = stage_.model.tensors[t];
    PlacedBuffer request;
    request.stage = name();
    request.tensor = tensor.name;
    request.references = tensor.references;
    request.depth = plan_.depths[t];
    if (is_turned(tensor.name)) {
      request.stage = tensor.name;
      request.tensor = tensor.turning->tensor;
    }
    if (!tensor.border.empty()) request.padding = schedule::Padding::Filled;
    const auto kind = access_kind(tensor);
    const schedule::LoopId position = position_of(t);
    if (position != kNoLoop) {
      request.at = position;  // what the loops inside touch, in the tensor's own dimensions
    } else {
      std::vector<schedule::LoopId> inside;
      for (const Pieces& pieces : pieces_) {
        inside.push_back(pieces.inner);
        inside.push_back(pieces.held);
      }
      request.region =
          varying_loops(out_.state, kind, name(), tensor.name, inside, tensor.references);
    }
    const bool is_rotating = request.depth == 2 && runs_across(t);
    if (is_rotating) request.depth = 1;
    const auto buffer = try_sliding(t, kind, request);
    if (!buffer) {
      out_.unstaged.push_back({static_cast<int>(t), out_.remarks.back()});
      return;
    }
    if (is_rotating) rotate_across(*buffer);
    if (is_early(t)) load_early(t, *buffer);
    out_.buffers.push_back(*buffer);
    share(t, *buffer);
  }

  /// Whether the transfers of a tensor run on over all loops over tiles around them.
  bool runs_across(std::size_t t) const {
    if (!memory_planner::is_across(plan_, static_cast<int>(t))) return false;
    return enclosing_ ? enclosing_->across[t]
                      : memory_planner::can_run_across(stage_.model, plan_, static_cast<int>(t));
  }

  /// The loop over tiles that is around all others.
  schedule::LoopId outermost() const {
    if (enclosing_ && enclosing_->outermost != kNoLoop) return enclosing_->outermost;
    return pieces_[static_cast<std::size_t>(plan_.outer.front())].outer;
  }

  /// Whether the one region of a tensor is loaded while nothing uses it. What should have been
  /// turned, and is not, is used all the time.
  bool is_early(std::size_t t) const {
    const memory_planner::TensorModel& tensor = stage_.model.tensors[t];
    if (plan_.depths[t] != 1 || (tensor.turning && !is_turned(tensor.name))) return false;
    return enclosing_ ? enclosing_->early[t]
                      : memory_planner::can_load_early(stage_.model, plan_, static_cast<int>(t));
  }

  /// Loads the one region of a buffer while nothing uses it, over all loops over tiles around it
  /// where the plan says so and that is not refused.
  void load_early(std::size_t t, const std::string& buffer) {
    const bool is_done = runs_across(t) && try_across(buffer, schedule::single_buffer);
    if (!is_done) move_while_unused(out_.state, buffer, name(), out_.remarks, where_);
  }

  /// Gives a buffer two regions that take turns over all loops over tiles around it; where that is
  /// refused over the innermost one, or it keeps its one region.
  void rotate_across(const std::string& buffer) {
    if (try_across(buffer, schedule::double_buffer)) return;
    try_moving(name(), "'" + buffer + "' has one region", out_.remarks, where_,
               [&] { out_.state = schedule::double_buffer(out_.state, buffer, where_); });
  }

  template <typename Primitive>
  bool try_across(const std::string& buffer, const Primitive& primitive) {
    return try_moving(
        name(), "the pipeline of '" + buffer + "' is drained at the end of its innermost loop",
        out_.remarks, where_,
        [&] { out_.state = primitive(out_.state, buffer, where_, outermost()); });
  }

  /// Places a buffer whose tiles keep what they have in common, where the plan says so and the
  /// primitive accepts it.
  std::optional<std::string> try_sliding(std::size_t t, schedule::AccessKind kind,
                                         PlacedBuffer request) {
    if (memory_planner::is_sliding(plan_, static_cast<int>(t))) {
      request.slide = position_of(t);
      std::string made;
      const auto place = [&] {
        schedule::BufferResult result = place_buffer(out_.state, kind, request, where_);
        out_.state = std::move(result.state);
        made = result.buffer;
      };
      unless_refused(place, [&](const Error& error) {
        out_.remarks.push_back({"auto_buffer of '" + request.tensor + "' in '" + name() + "'",
                                "moved with each tile, what they have in common, too",
                                error.report().what + ": " + error.report().why, where_});
      });
      if (!made.empty()) return made;
      request.slide.reset();
    }
    return try_widened(t, kind, request);
  }

  /// Places a buffer that is filled in whole units, where the plan says so and the primitive
  /// accepts it.
  std::optional<std::string> try_widened(std::size_t t, schedule::AccessKind kind,
                                         PlacedBuffer request) {
    const std::int64_t unit = memory_planner::unit_of(plan_, static_cast<int>(t));
    if (unit > 0) {
      request.align_bytes = unit * stage_.model.tensors[t].element_bytes;
      std::string made;
      const auto place = [&] {
        schedule::BufferResult result = place_buffer(out_.state, kind, request, where_);
        out_.state = std::move(result.state);
        made = result.buffer;
      };
      unless_refused(place, [&](const Error& error) {
        out_.remarks.push_back({"auto_buffer of '" + request.tensor + "' in '" + name() + "'",
                                "copied by loads and stores",
                                error.report().what + ": " + error.report().why, where_});
      });
      if (!made.empty()) return made;
      request.align_bytes = 0;
    }
    return try_buffer(out_.state, kind, request, out_.remarks, where_);
  }

  /// Keeps that a plan without this choice is needed, the first time.
  void refuse(int alone, const std::string& what, const Error& error) {
    if (out_.refused) return;
    out_.refused = {alone, what, error.report().what + ": " + error.report().why};
  }

  template <typename Primitive>
  void try_choice(int alone, const std::string& what, Primitive primitive) {
    unless_refused([&] { out_.state = primitive(); },
                   [&](const Error& error) { refuse(alone, what, error); });
  }

  void share(std::size_t t, const std::string& buffer) {
    const schedule::SharedBy by = memory_planner::shared_by(plan_, static_cast<int>(t));
    if (by == schedule::SharedBy::Core) return;
    const std::string& tensor = memory_planner::shown_name(stage_.model.tensors[t]);
    try_choice(static_cast<int>(t), "each core reads '" + tensor + "'",
               [&] { return schedule::broadcast(out_.state, buffer, by, where_); });
  }

  void call_micro_kernel() {
    const char* const in_c = "loops of C multiply";
    std::size_t staged = 0;
    for (std::size_t t = 0; t < stage_.model.tensors.size(); ++t) staged += is_staged(t) ? 1 : 0;
    const bool is_fused = memory_planner::has_epilogue(stage_.model);
    if (out_.buffers.size() < staged || (!is_fused && staged < stage_.model.tensors.size())) {
      out_.refused = {-1, in_c, "a tensor of the product stays in main memory"};
      return;
    }
    try_choice(-1, in_c, [&] {
      return schedule::tensorize_micro_kernel(out_.state, name(), multiplied_loops().front(),
                                              where_);
    });
  }

  /// The loop inside which the transfers of a tensor stand; kNoLoop without one.
  schedule::LoopId position_of(std::size_t t) const {
    const int around = memory_planner::loops_around(stage_.model, plan_, static_cast<int>(t));
    if (around > 0) {
      return pieces_[static_cast<std::size_t>(plan_.outer[static_cast<std::size_t>(around - 1)])]
          .outer;
    }
    if (enclosing_) return enclosing_->around[t];
    if (plan_.parallel.empty()) return kNoLoop;
    return pieces_[static_cast<std::size_t>(plan_.parallel.back())].part;
  }

  void mark_held() {
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const schedule::LoopId held = pieces_[k].held;
      if (held == kNoLoop || stage_.model.loops[k].held != memory_planner::HeldBy::Nobody) continue;
      out_.state = static_cast<int>(k) == plan_.vector
                       ? schedule::vectorize(out_.state, name(), held, where_)
                       : schedule::unroll(out_.state, name(), held, where_);
    }
  }

  const memory_planner::PlannedStage& stage_;
  const memory_planner::NestPlan& plan_;
  SourceLoc where_;
  std::optional<EnclosingTiles> enclosing_;
  WrittenNest out_;
  std::vector<Pieces> pieces_;       ///< per loop of the stage
  std::vector<std::string> turned_;  ///< other layouts that are made in near memory
};

}  // namespace solway::driver
