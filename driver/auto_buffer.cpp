#include "driver/auto_buffer.h"

#include <algorithm>
#include <optional>

#include "driver/place_buffer.h"
#include "driver/write_nest.h"
#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "memory_planner/optimal_planner.h"
#include "memory_planner/scratchpad.h"
#include "schedule/compute_root.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::AccessDirection;
using memory_planner::PlannedStage;
using memory_planner::Room;
using memory_planner::StagePlan;
using memory_planner::TensorModel;
using memory_planner::Tiling;
using schedule::LoopId;
using schedule::State;

constexpr LoopId kNoLoop = -1;

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// "k.i (split(k, factor=64) at user.py:5)" for each loop whose tile is not free.
std::string fixed_choices(const State& state, const PlannedStage& stage) {
  std::string out;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    if (stage.model.loops[k].tiling != Tiling::Inside) continue;
    const schedule::Loop& loop = state.order.loop(stage.loops[k]);
    out += (out.empty() ? "'" : ", '") + loop.name + "' of " + std::to_string(loop.extent()) +
           " iterations, made at " + loop.where.to_string();
  }
  return out;
}

[[noreturn]] void fail_capacity(const State& state, const PlannedStage& stage,
                                const StagePlan& plan, const Room& room, const SourceLoc& where) {
  std::vector<CapacityError::Buffer> buffers;
  for (const TensorModel& tensor : stage.model.tensors) {
    buffers.push_back(
        {tensor.name, memory_planner::buffer_bytes(tensor, plan.choice.tiles, room.alignment_bytes),
         "auto_buffer"});
  }
  const std::string fixed = fixed_choices(state, stage);
  throw CapacityError(
      {where,
       "the buffers of '" + stage.model.name + "' need " + std::to_string(plan.choice.bytes) +
           " bytes, there is room for " + std::to_string(room.capacity_bytes),
       fixed.empty() ? "one iteration of each loop touches that much"
                     : "the schedule fixes what lies inside a buffer: " + fixed,
       fixed.empty() ? "stage fewer tensors with buffer_read" : "split these loops further"},
      plan.choice.bytes, room.capacity_bytes, std::move(buffers));
}

/// Applies the plan of one stage.
class PlanWriter {
 public:
  PlanWriter(const State& state, const PlannedStage& stage, const StagePlan& plan,
             const SourceLoc& where)
      : state_(state),
        stage_(stage),
        plan_(plan),
        where_(where),
        outer_(stage.loops.size(), kNoLoop),
        inner_(stage.loops.size(), kNoLoop) {}

  void write() {
    split_loops();
    reorder_loops();
    mark_parallel();
    add_buffers();
  }

  State state_;
  Remarks remarks;
  std::vector<std::string> buffers;
  std::string parallel;

 private:
  const std::string& name() const { return stage_.model.name; }

  void split_loops() {
    for (const int k : plan_.inner) inner_[index(k)] = stage_.loops[index(k)];
    for (std::size_t k = 0; k < stage_.loops.size(); ++k) {
      if (inner_[k] != kNoLoop) continue;
      outer_[k] = stage_.loops[k];
      const std::int64_t tile = plan_.choice.tiles[k];
      if (tile == 1) continue;
      schedule::SplitResult made = schedule::split(state_, name(), stage_.loops[k], tile, where_);
      state_ = std::move(made.state);
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
    if (order == state_.stage_loops.at(name())) return;
    state_ = schedule::reorder(state_, name(), order, where_);
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
    if (outer_order().front() != plan_.parallel) {
      remarks.push_back({"auto_buffer on '" + name() + "'", "runs on one core",
                         "the order of its loops is kept, and '" +
                             stage_.model.loops[index(plan_.parallel)].name +
                             "', which could run on several, is not the outermost",
                         where_});
      return;
    }
    const LoopId loop = outer_[index(plan_.parallel)];
    state_ = schedule::parallel(state_, name(), loop, where_);
    parallel = schedule::loop_name(state_, loop);
  }

  void add_buffers() {
    for (const TensorModel& tensor : stage_.model.tensors) {
      PlacedBuffer request;
      request.stage = name();
      request.tensor = tensor.name;
      const auto kind = tensor.direction == AccessDirection::Read ? schedule::AccessKind::Reads
                                                                  : schedule::AccessKind::Writes;
      request.region = varying_loops(state_, kind, name(), tensor.name, inner_);
      add_buffer(request, kind);
    }
  }

  void add_buffer(const PlacedBuffer& request, schedule::AccessKind kind) {
    const auto leave = [&](const Error& error) {
      remarks.push_back({"auto_buffer of '" + request.tensor + "' in '" + name() + "'",
                         "accessed in main memory", error.report().what + ": " + error.report().why,
                         where_});
    };
    try {
      schedule::BufferResult made = place_buffer(state_, kind, request, where_);
      state_ = std::move(made.state);
      buffers.push_back(made.buffer);
    } catch (const UnsupportedError& error) {
      leave(error);
    } catch (const AnalysisBudgetError& error) {
      leave(error);
    }
  }

  const PlannedStage& stage_;
  const StagePlan& plan_;
  SourceLoc where_;
  std::vector<LoopId> outer_;  ///< per loop of the stage, the one over tiles
  std::vector<LoopId> inner_;  ///< the one inside the tile
};

/// The loops inside all transfers that the stage has; nullopt when it has none.
std::optional<std::vector<LoopId>> loops_inside_buffers(const State& state,
                                                        const std::string& stage) {
  std::optional<std::size_t> depth;
  for (const schedule::Placement& p : state.order.placements) {
    const schedule::Statement& s = state.program->statement(p.statement);
    if (s.stage == stage && s.is_transfer()) depth = std::max(depth.value_or(0), p.path.size());
  }
  if (!depth) return std::nullopt;
  const std::vector<LoopId>& all = state.stage_loops.at(stage);
  return std::vector<LoopId>(all.begin() + static_cast<std::ptrdiff_t>(*depth), all.end());
}

/// The plan that leaves the loops as they are, with `inside` within the buffers.
StagePlan plan_in_place(const PlannedStage& stage, const std::vector<LoopId>& inside) {
  StagePlan out;
  out.choice.fits = true;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const bool is_inside =
        std::find(inside.begin(), inside.end(), stage.loops[index(k)]) != inside.end();
    (is_inside ? out.inner : out.outer).push_back(k);
    out.choice.tiles.push_back(is_inside ? stage.model.loops[index(k)].extent : 1);
  }
  return out;
}

/// Throws UnsupportedError when a target says too little for the cost model.
void require_figures(const Target& target, const SourceLoc& where) {
  const TransferEngine* engine = target.engine_or_null(target.default_scope);
  const std::string lacks = engine == nullptr             ? "no transfer engine"
                            : engine->bandwidth.empty()   ? "no bandwidth of its transfers"
                            : !target.timing              ? "no [timing]"
                            : target.cores.clock_mhz == 0 ? "no clock"
                                                          : "";
  if (lacks.empty()) return;
  throw UnsupportedError({where, "auto_buffer has no cost model for '" + target.name + "'",
                          "planner=\"optimal\" counts cycles, and the target gives " + lacks,
                          "pass planner=\"greedy\", which counts transfers"});
}

class AutoBuffer {
 public:
  AutoBuffer(const State& state, const Target& target, bool is_optimal, const SourceLoc& where)
      : target_(target), is_optimal_(is_optimal), where_(where), out_{state, {}, {}} {}

  AutoBufferResult run() {
    const std::vector<dsl::Tensor>& stages = out_.state.program->stages;
    for (const dsl::Tensor& stage : stages) require_at_root(stage->name);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      const auto layouts = memory_planner::lay_out(out_.state, target_, where_);
      const memory_planner::ScratchpadLayout& layout = layouts.front();
      const Room room{std::max<std::int64_t>(0, room_of(k, layout)), layout.alignment_bytes};
      if (stages[k]->self || stages[k]->is_update()) {
        plan_carried(stages[k]->name, room);
      } else {
        plan_stage(stages[k]->name, room);
      }
    }
    memory_planner::require_fits(memory_planner::lay_out(out_.state, target_, where_), where_);
    return std::move(out_);
  }

 private:
  void require_at_root(const std::string& stage) const {
    if (!schedule::is_placed(out_.state, stage)) return;
    throw UnsupportedError({where_, "auto_buffer plans no nest in which another stage was placed",
                            "compute_at put '" + stage + "' into the loops of its reader",
                            "call its compute_root(), or choose the buffers yourself"});
  }

  /// What stage k may use: all that its nests leave, shared out among those stages that are still
  /// to be planned and run in one of them.
  std::int64_t room_of(std::size_t k, const memory_planner::ScratchpadLayout& layout) const {
    const std::vector<dsl::Tensor>& stages = out_.state.program->stages;
    const std::string& stage = stages[k]->name;
    const auto waiting = std::count_if(
        stages.begin() + static_cast<std::ptrdiff_t>(k), stages.end(), [&](const dsl::Tensor& s) {
          return s->name == stage || memory_planner::share_a_nest(out_.state, stage, s->name);
        });
    const std::int64_t taken = memory_planner::bytes_beside(out_.state, layout, stage);
    return (layout.available_bytes() - taken) / waiting;
  }

  /// The planner knows of no dependences between iterations: a plan that breaks them is left out.
  void plan_carried(const std::string& name, const Room& room) {
    try {
      plan_stage(name, room);
    } catch (const IllegalScheduleError& error) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "left as it is",
                              "its iterations depend on each other: " + error.report().what,
                              where_});
    }
  }

  void plan_stage(const std::string& name, Room room) {
    const PlannedStage stage = memory_planner::extract_stage(out_.state, name, where_);
    const bool is_empty =
        std::any_of(stage.model.loops.begin(), stage.model.loops.end(),
                    [](const memory_planner::LoopModel& loop) { return loop.extent == 0; });
    if (is_empty || stage.loops.empty()) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "left as it is",
                              is_empty ? "it computes nothing" : "it computes one element",
                              where_});
      return;
    }
    const auto inside = loops_inside_buffers(out_.state, name);
    if (inside) {
      if (is_optimal_) {
        out_.remarks.push_back({"auto_buffer on '" + name + "'", "kept its loops",
                                "it has a buffer, and the others are put at its place", where_});
      }
      write(stage, plan_in_place(stage, *inside), room);
      return;
    }
    const std::string fixed = is_optimal_ ? what_is_fixed(stage) : "";
    if (is_optimal_ && fixed.empty()) {
      search_stage(stage, room);
      return;
    }
    if (is_optimal_) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "planned as by planner=\"greedy\"",
                              "the search plans whole stages, and " + fixed, where_});
    }
    const Room whole = room;
    while (true) {
      const StagePlan plan = memory_planner::plan_greedily(stage.model, room, target_.cores.count);
      if (!plan.choice.fits) {
        if (room.capacity_bytes < whole.capacity_bytes) fail_boxes(name, whole);
        fail_capacity(out_.state, stage, plan, room, where_);
      }
      const std::int64_t bytes = write(stage, plan, whole);
      if (bytes <= whole.capacity_bytes) return;
      // The boxes are larger than the tiles: plan again for as much less.
      room.capacity_bytes = plan.choice.bytes * whole.capacity_bytes / bytes;
    }
  }

  /// What of a stage the user has fixed, or what the search cannot count; "" when nothing.
  std::string what_is_fixed(const PlannedStage& stage) const {
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      const memory_planner::LoopModel& loop = stage.model.loops[k];
      if (loop.tiling != Tiling::Free || loop.is_parallel) return "'" + loop.name + "' is fixed";
    }
    if (stage.keeps_order) return "the order of its loops is fixed";
    if (!out_.state.original->sizes.empty()) return "sizes of this one are known when it runs";
    return "";
  }

  void search_stage(const PlannedStage& stage, Room room) {
    const Room whole = room;
    const memory_planner::BodyModel body =
        memory_planner::model_body(out_.state, stage.model, target_);
    const memory_planner::CostInputs in{&stage.model, &body, &target_,
                                        target_.engine_or_null(target_.default_scope)};
    memory_planner::Means means;
    const auto leave_out = [&](const RefusedChoice& refused) {
      out_.remarks.push_back(
          {"auto_buffer on '" + stage.model.name + "'", refused.what, refused.why, where_});
      if (refused.alone < 0) {
        means.micro_kernels = false;
      } else {
        means.alone.push_back(refused.alone);
      }
    };
    while (true) {
      const memory_planner::OptimalPlan found = memory_planner::plan_optimally(in, room, means);
      if (!found.plan.fits) {
        if (room.capacity_bytes < whole.capacity_bytes) fail_boxes(stage.model.name, whole);
        const StagePlan greedy =
            memory_planner::plan_greedily(stage.model, room, target_.cores.count);
        fail_capacity(out_.state, stage, greedy, room, where_);
      }
      WrittenNest made = write_nest(out_.state, stage, found.plan, where_);
      if (made.refused) {
        leave_out(*made.refused);
        continue;
      }
      StageChoice choice;
      choice.stage = stage.model.name;
      choice.planner = "optimal";
      choice.buffers = std::move(made.buffers);
      choice.parallel = std::move(made.parallel);
      choice.room_bytes = whole.capacity_bytes;
      choice.cycles = found.cost.total();
      choice.decisions = found.decisions;
      measure(made.state, whole, choice);
      if (choice.buffer_bytes > whole.capacity_bytes) {
        // The boxes are larger than the tiles: plan again for as much less.
        room.capacity_bytes = found.plan.bytes * whole.capacity_bytes / choice.buffer_bytes;
        continue;
      }
      if (found.plan.micro_kernel && choice.buffer_bytes != found.plan.bytes) {
        // Where rows of the buffers begin is not what the plan says.
        leave_out({-1, "loops of C multiply",
                   "the boxes that were found hold " + std::to_string(choice.buffer_bytes) +
                       " bytes, the plan's tiles " + std::to_string(found.plan.bytes)});
        continue;
      }
      out_.remarks.insert(out_.remarks.end(), made.remarks.begin(), made.remarks.end());
      keep(std::move(made.state), stage, memory_planner::tiles_of(found.plan), std::move(choice));
      return;
    }
  }

  /// Even with the smallest tiles, the boxes that were found do not fit.
  [[noreturn]] void fail_boxes(const std::string& stage, const Room& room) const {
    std::int64_t bytes = 0;
    for (const CapacityError::Buffer& b : tried_) bytes += b.size_bytes;
    throw CapacityError(
        {where_,
         "the buffers of '" + stage + "' need " + std::to_string(bytes) +
             " bytes, there is room for " + std::to_string(room.capacity_bytes),
         "the smallest box of constant size that was found at their positions holds more than a "
         "tile touches, as it does under a loop that was fused",
         "plan the stage before loops are fused"},
        bytes, room.capacity_bytes, tried_);
  }

  /// Applies a plan and keeps it if it fits; returns the bytes of its buffers.
  std::int64_t write(const PlannedStage& stage, const StagePlan& plan, const Room& room) {
    PlanWriter writer(out_.state, stage, plan, where_);
    writer.write();
    StageChoice choice;
    choice.stage = stage.model.name;
    choice.planner = "greedy";
    choice.buffers = writer.buffers;
    choice.parallel = writer.parallel;
    choice.room_bytes = room.capacity_bytes;
    measure(writer.state_, room, choice);
    const bool may_shrink = !loops_inside_buffers(out_.state, stage.model.name);
    if (may_shrink && choice.buffer_bytes > room.capacity_bytes) {
      return choice.buffer_bytes;
    }
    out_.remarks.insert(out_.remarks.end(), writer.remarks.begin(), writer.remarks.end());
    const std::int64_t bytes = choice.buffer_bytes;
    keep(std::move(writer.state_), stage, plan.choice.tiles, std::move(choice));
    return bytes;
  }

  /// The bytes of the buffers that were made.
  void measure(const State& state, const Room& room, StageChoice& choice) {
    tried_.clear();
    for (const auto& layout : memory_planner::lay_out(state, target_, where_)) {
      for (const memory_planner::PlacedBuffer& b : layout.buffers) {
        const bool is_new =
            std::find(choice.buffers.begin(), choice.buffers.end(), b.name) != choice.buffers.end();
        if (!is_new) continue;
        tried_.push_back({b.name, b.size_bytes, b.primitive});
        choice.buffer_bytes +=
            (b.size_bytes + room.alignment_bytes - 1) / room.alignment_bytes * room.alignment_bytes;
      }
    }
  }

  void keep(State state, const PlannedStage& stage, const memory_planner::Tiles& tiles,
            StageChoice choice) {
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      choice.tiles.push_back({stage.model.loops[k].name, stage.model.loops[k].extent, tiles[k]});
    }
    for (const LoopId id : state.stage_loops.at(choice.stage)) {
      choice.order.push_back(schedule::loop_name(state, id));
    }
    out_.state = std::move(state);
    out_.choices.push_back(std::move(choice));
  }

  const Target& target_;
  bool is_optimal_;
  SourceLoc where_;
  AutoBufferResult out_;
  std::vector<CapacityError::Buffer> tried_;  ///< of the last plan that was applied
};

}  // namespace

AutoBufferResult auto_buffer(const State& state, const Target& target, const std::string& planner,
                             const SourceLoc& where) {
  if (planner != "optimal" && planner != "greedy") {
    throw ScheduleArgumentError({where, "auto_buffer has no planner '" + planner + "'",
                                 "the planners are 'optimal' and 'greedy'",
                                 "pass planner=\"optimal\" or planner=\"greedy\""});
  }
  if (planner == "optimal") require_figures(target, where);
  return AutoBuffer(state, target, planner == "optimal", where).run();
}

}  // namespace solway::driver
