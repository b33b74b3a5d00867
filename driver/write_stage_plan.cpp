#include "driver/write_stage_plan.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "driver/no_loop.h"
#include "driver/place_buffer.h"
#include "driver/planned_draft.h"
#include "schedule/parallel.h"
#include "schedule/region.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/vectorize.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::AccessDirection;
using memory_planner::PlannedStage;
using memory_planner::StagePlan;
using memory_planner::TensorModel;
using schedule::LoopId;
using schedule::State;

/// What becomes of a tensor whose buffer would break a dependence.
enum class IllegalBuffer : std::uint8_t {
  Throw,   ///< the planner has made a mistake
  LeftOut  ///< it stays in main memory, with a remark
};

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// Applies the plan of one stage.
class PlanWriter {
 public:
  PlanWriter(const State& state, const PlannedStage& stage, const StagePlan& plan,
             IllegalBuffer illegal, const SourceLoc& where)
      : stage_(stage),
        plan_(plan),
        illegal_(illegal),
        where_(where),
        out_{state, {}, {}, {}, {}},
        outer_(stage.loops.size(), kNoLoop),
        inner_(stage.loops.size(), kNoLoop) {}

  WrittenNest write() {
    write_loops();
    write_inside();
    return take();
  }

  State& state() { return out_.state; }
  bool depends_on_itself() const { return may_depend_on_itself(out_.state, name()); }
  WrittenNest take() { return std::move(out_); }

  void write_loops() {
    split_loops();
    reorder_loops();
    mark_parallel();
  }

  bool write_inside() {
    add_buffers();
    if (plan_.vector >= 0) {
      out_.state = schedule::vectorize(out_.state, name(), inner_[index(plan_.vector)], where_);
    }
    return true;
  }

 private:
  const std::string& name() const { return stage_.model.name; }

  void split_loops() {
    for (const int k : plan_.inner) inner_[index(k)] = stage_.loops[index(k)];
    for (std::size_t k = 0; k < stage_.loops.size(); ++k) {
      if (inner_[k] != kNoLoop) continue;
      outer_[k] = stage_.loops[k];
      const std::int64_t tile = plan_.choice.tiles[k];
      if (tile == 1) continue;
      schedule::SplitResult made =
          schedule::split(out_.state, name(), stage_.loops[k], tile, where_);
      out_.state = std::move(made.state);
      outer_[k] = made.outer;
      inner_[k] = made.inner;
    }
  }

  /// Loops over tiles outside, the rest of the tile inside. A spatial loop of one iteration stands
  /// around all, as in Figure 2(d).
  void reorder_loops() {
    std::vector<LoopId> order;
    for (const bool around : {true, false}) {
      if (!around) {
        for (const int k : outer_order()) order.push_back(outer_[index(k)]);
      }
      for (std::size_t k = 0; k < inner_.size(); ++k) {
        if (inner_[k] != kNoLoop && is_around(k) == around) order.push_back(inner_[k]);
      }
    }
    if (order == out_.state.stage_loops.at(name())) return;
    out_.state = schedule::reorder(out_.state, name(), order, where_);
  }

  bool is_around(std::size_t k) const {
    const memory_planner::LoopModel& loop = stage_.model.loops[k];
    return loop.extent == 1 && loop.kind == dsl::AxisKind::Spatial;
  }

  /// The plan's order, or the user's.
  std::vector<int> outer_order() const {
    std::vector<int> out = plan_.outer;
    if (stage_.keeps_order) std::sort(out.begin(), out.end());
    return out;
  }

  void mark_parallel() {
    if (plan_.parallel < 0) return;
    if (outer_order()[index(plan_.steps)] != plan_.parallel) {
      out_.remarks.push_back({"auto_buffer on '" + name() + "'", "runs on one core",
                              "the order of its loops is kept, and '" +
                                  stage_.model.loops[index(plan_.parallel)].name +
                                  "', which could run on several, is not the outermost",
                              where_});
      return;
    }
    const LoopId loop = outer_[index(plan_.parallel)];
    out_.state = schedule::parallel(out_.state, name(), loop, where_);
    out_.parallel = schedule::loop_name(out_.state, loop);
  }

  void add_buffers() {
    for (std::size_t t = 0; t < stage_.model.tensors.size(); ++t) {
      const TensorModel& tensor = stage_.model.tensors[t];
      const bool is_read = tensor.direction == AccessDirection::Read;
      // In steps a core reads what others have written, and what they write now is not its own.
      if (is_read || (plan_.steps > 0 && reads(tensor.name))) {
        add_buffer(static_cast<int>(t), schedule::AccessKind::Reads);
      }
      if (!is_read) add_buffer(static_cast<int>(t), schedule::AccessKind::Writes);
    }
  }

  bool reads(const std::string& tensor) const {
    return !schedule::accesses_of(out_.state, name(), tensor, schedule::AccessKind::Reads).empty();
  }

  void add_buffer(int tensor, schedule::AccessKind kind) {
    PlacedBuffer request;
    request.stage = name();
    request.tensor = stage_.model.tensors[index(tensor)].name;
    if (plan_.steps > 0) {
      request.at = outer_[index(plan_.parallel)];  // each core what it needs, in each step anew
    } else {
      request.region = varying_loops(out_.state, kind, name(), request.tensor, inner_);
    }
    const auto leave = [&](const Error& error) {
      out_.remarks.push_back(left_in_main_memory(request.tensor, name(), error, where_));
      out_.unstaged.push_back({tensor, out_.remarks.back()});
    };
    try {
      schedule::BufferResult made = place_buffer(out_.state, kind, request, where_);
      out_.state = std::move(made.state);
      out_.buffers.push_back(made.buffer);
    } catch (const UnsupportedError& error) {
      leave(error);
    } catch (const AnalysisBudgetError& error) {
      leave(error);
    } catch (const ScheduleArgumentError& error) {
      // Of several nests one has a loop that the user keeps outside: no position is around all.
      if (!stage_.model.is_nested) throw;
      leave(error);
    } catch (const IllegalScheduleError& error) {
      if (illegal_ == IllegalBuffer::Throw) throw;
      leave(error);
    }
  }

  const PlannedStage& stage_;
  const StagePlan& plan_;
  IllegalBuffer illegal_;
  SourceLoc where_;
  WrittenNest out_;
  std::vector<LoopId> outer_;  ///< per loop of the stage, the one over tiles
  std::vector<LoopId> inner_;  ///< the one inside the tile
};

}  // namespace

WrittenNest write_stage_plan(const State& state, const PlannedStage& stage, const StagePlan& plan,
                             const SourceLoc& where) {
  const PlanWriter writer(state, stage, plan, IllegalBuffer::Throw, where);
  if (auto out = try_draft(writer, where)) return *std::move(out);
  return PlanWriter(writer).write();
}

std::optional<WrittenNest> try_stage_plan(const State& state, const PlannedStage& stage,
                                          const StagePlan& plan, const SourceLoc& where) {
  const schedule::Request request{"auto_buffer", where};
  PlanWriter loops(state, stage, plan, IllegalBuffer::LeftOut, where);
  loops.state() = schedule::begin_draft(std::move(loops.state()));
  loops.write_loops();
  auto legal = schedule::settle_order(std::move(loops.state()), request);
  if (!legal) return std::nullopt;
  loops.state() = *std::move(legal);
  PlanWriter all = loops;
  all.state() = schedule::begin_draft(std::move(all.state()));
  all.write_inside();
  if (auto settled = schedule::try_settle(std::move(all.state()), request)) {
    all.state() = *std::move(settled);
    return all.take();
  }
  loops.write_inside();  // one by one: some buffers are illegal
  return loops.take();
}

}  // namespace solway::driver
