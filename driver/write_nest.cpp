#include "driver/write_nest.h"

#include <algorithm>
#include <utility>

#include "driver/place_buffer.h"
#include "driver/planned_draft.h"
#include "memory_planner/plan_cost.h"
#include "schedule/broadcast.h"
#include "schedule/micro_kernel.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::AccessDirection;
using memory_planner::NestPlan;
using memory_planner::PlannedStage;
using memory_planner::TensorModel;
using schedule::LoopId;

constexpr LoopId kNoLoop = -1;

/// What a loop of the stage has become: kNoLoop where it was not split.
struct Pieces {
  LoopId part = kNoLoop;   ///< over parts: parallel
  LoopId outer = kNoLoop;  ///< over tiles
  LoopId inner = kNoLoop;  ///< of a tile, over what registers hold
  LoopId held = kNoLoop;
};

class NestWriter {
 public:
  NestWriter(const schedule::State& state, const PlannedStage& stage, const NestPlan& plan,
             const SourceLoc& where)
      : stage_(stage), plan_(plan), where_(where), out_{state, {}, {}, {}, {}} {}

  WrittenNest write() {
    write_loops();
    write_inside();
    return take();
  }

  schedule::State& state() { return out_.state; }
  WrittenNest take() { return std::move(out_); }

  void write_loops() {
    for (std::size_t k = 0; k < stage_.loops.size(); ++k) split_loop(k);
    reorder_loops();
    mark_parallel();
  }

  /// False where a choice was refused: the stage is planned again, without it.
  bool write_inside() {
    for (const auto direction : {AccessDirection::Write, AccessDirection::Read}) {
      for (std::size_t t = 0; t < stage_.model.tensors.size(); ++t) {
        if (plan_.depths[t] != 0 && stage_.model.tensors[t].direction == direction) add_buffer(t);
      }
    }
    if (plan_.micro_kernel) {
      call_micro_kernel();
    } else {
      mark_held();
    }
    return !out_.refused;
  }

 private:
  const std::string& name() const { return stage_.model.name; }

  LoopId split_off(LoopId& rest, std::int64_t factor) {
    schedule::SplitResult made = schedule::split(out_.state, name(), rest, factor, where_);
    out_.state = std::move(made.state);
    rest = made.inner;
    return made.outer;
  }

  void split_loop(std::size_t k) {
    const memory_planner::LoopCut& cut = plan_.cuts[k];
    Pieces& pieces = pieces_.emplace_back();
    LoopId rest = stage_.loops[k];
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
    std::vector<LoopId> order;
    const auto add = [&](LoopId id) {
      if (id != kNoLoop) order.push_back(id);
    };
    for (const int k : plan_.parallel) add(pieces_[static_cast<std::size_t>(k)].part);
    for (const int k : plan_.outer) add(pieces_[static_cast<std::size_t>(k)].outer);
    if (needs_copies_for_zeros()) {
      add(pieces_[static_cast<std::size_t>(plan_.micro_kernel->terms)].outer);
    }
    for (const bool reduces : {false, true}) {
      for (std::size_t k = 0; k < pieces_.size(); ++k) {
        const bool is_reduce = stage_.model.loops[k].kind == dsl::AxisKind::Reduce;
        if (is_reduce == reduces && !is_in_micro_kernel(k)) add(pieces_[k].inner);
      }
    }
    for (const LoopId id : multiplied_loops()) add(id);
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
  std::vector<LoopId> multiplied_loops() const {
    std::vector<LoopId> out;
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
    const std::vector<LoopId> loops = multiplied_loops();
    return std::find(loops.begin(), loops.end(), pieces_[k].inner) != loops.end();
  }

  void mark_parallel() {
    if (plan_.parallel.empty()) return;
    const auto loop = [&](std::size_t p) {
      return pieces_[static_cast<std::size_t>(plan_.parallel[p])].part;
    };
    if (plan_.parallel.size() == 1) {
      out_.state = schedule::parallel(out_.state, name(), loop(0), where_);
    } else {
      out_.state = schedule::parallel_grid(out_.state, name(), loop(0), loop(1),
                                           {plan_.grid[0], plan_.grid[1]}, where_);
    }
    for (std::size_t p = 0; p < plan_.parallel.size(); ++p) {
      out_.parallel += (p == 0 ? "" : ", ") + schedule::loop_name(out_.state, loop(p));
    }
  }

  void add_buffer(std::size_t t) {
    const TensorModel& tensor = stage_.model.tensors[t];
    PlacedBuffer request;
    request.stage = name();
    request.tensor = tensor.name;
    request.depth = plan_.depths[t];
    const auto kind = tensor.direction == AccessDirection::Read ? schedule::AccessKind::Reads
                                                                : schedule::AccessKind::Writes;
    const LoopId position = position_of(t);
    if (position != kNoLoop) {
      request.at = position;  // what the loops inside touch, in the tensor's own dimensions
    } else {
      std::vector<LoopId> inside;
      for (const Pieces& pieces : pieces_) {
        inside.push_back(pieces.inner);
        inside.push_back(pieces.held);
      }
      request.region = varying_loops(out_.state, kind, name(), tensor.name, inside);
    }
    const auto leave = [&](const Error& error) {
      out_.remarks.push_back(left_in_main_memory(tensor.name, name(), error, where_));
    };
    try {
      schedule::BufferResult made = place_buffer(out_.state, kind, request, where_);
      out_.state = std::move(made.state);
      out_.buffers.push_back(made.buffer);
      share(t, made.buffer);
    } catch (const UnsupportedError& error) {
      leave(error);
    } catch (const AnalysisBudgetError& error) {
      leave(error);
    }
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
    try_choice(static_cast<int>(t), "each core reads '" + stage_.model.tensors[t].name + "'",
               [&] { return schedule::broadcast(out_.state, buffer, by, where_); });
  }

  void call_micro_kernel() {
    const char* const in_c = "loops of C multiply";
    if (out_.buffers.size() < stage_.model.tensors.size()) {
      out_.refused = {-1, in_c, "a tensor of the product stays in main memory"};
      return;
    }
    try_choice(-1, in_c, [&] {
      return schedule::tensorize_micro_kernel(out_.state, name(), multiplied_loops().front(),
                                              where_);
    });
  }

  /// The loop inside which the transfers of a tensor stand; kNoLoop without one.
  LoopId position_of(std::size_t t) const {
    const int around = memory_planner::loops_around(stage_.model, plan_, static_cast<int>(t));
    if (around > 0) {
      return pieces_[static_cast<std::size_t>(plan_.outer[static_cast<std::size_t>(around - 1)])]
          .outer;
    }
    if (plan_.parallel.empty()) return kNoLoop;
    return pieces_[static_cast<std::size_t>(plan_.parallel.back())].part;
  }

  void mark_held() {
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const LoopId held = pieces_[k].held;
      if (held == kNoLoop) continue;
      out_.state = static_cast<int>(k) == plan_.vector
                       ? schedule::vectorize(out_.state, name(), held, where_)
                       : schedule::unroll(out_.state, name(), held, where_);
    }
  }

  const PlannedStage& stage_;
  const NestPlan& plan_;
  SourceLoc where_;
  WrittenNest out_;
  std::vector<Pieces> pieces_;  ///< per loop of the stage
};

}  // namespace

Remark left_in_main_memory(const std::string& tensor, const std::string& stage, const Error& error,
                           const SourceLoc& where) {
  return {"auto_buffer of '" + tensor + "' in '" + stage + "'", "accessed in main memory",
          error.report().what + ": " + error.report().why, where};
}

WrittenNest write_nest(const schedule::State& state, const PlannedStage& stage,
                       const NestPlan& plan, const SourceLoc& where) {
  if (auto out = try_draft(NestWriter(state, stage, plan, where), where)) return *std::move(out);
  return NestWriter(state, stage, plan, where).write();
}

}  // namespace solway::driver
