#include "driver/plan_stage.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "driver/fixed_choices.h"
#include "driver/left_out.h"
#include "driver/no_room.h"
#include "driver/plan_in_order.h"
#include "driver/plans_in_order.h"
#include "driver/write_nest.h"
#include "driver/write_stage_plan.h"
#include "memory_planner/body_model.h"
#include "memory_planner/greedy_planner.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::Room;
using memory_planner::StagePlan;

class StagePlanner {
 public:
  StagePlanner(AutoBufferResult& out, const StagePlanning& how) : out_(out), how_(how) {}

  /// The planner knows of no dependences between iterations: of a stage that has them, a plan may
  /// break some. That one, and one that is refused or not decided, gives way to a lesser one.
  LoopOrder plan(const dsl::Tensor& stage, const Room& room) {
    const std::size_t remarks = out_.remarks.size();
    LoopOrder order = LoopOrder::Planned;
    std::string why;
    try {
      plan_stage(stage->name, room);
      return order;
    } catch (const ScheduleArgumentError& error) {
      if (!has_buffers(stage->name)) throw;
      why = error.report().what + ": " + error.report().why;
    } catch (const IllegalScheduleError& error) {
      const bool depends = stage->self || stage->is_update();
      if (!depends && !has_buffers(stage->name)) throw;
      why = (depends ? "its iterations depend on each other: "
                     : "other buffers do not go with those it has: ") +
            error.report().what;
      order = LoopOrder::KeptByDependences;
    } catch (const AnalysisBudgetError& error) {
      why = error.report().what + ": " + error.report().why;
    } catch (const UnsupportedError& error) {
      why = error.report().what + ": " + error.report().why;
    }
    out_.remarks.resize(remarks);
    if (how_.undivided != nullptr) out_.state = *how_.undivided;
    plan_in_order(out_, stage->name, room, how_, why);
    return order;
  }

 private:
  /// Of these one may stand where no plan can have the others.
  bool has_buffers(const std::string& stage) const {
    return loops_inside_buffers(out_.state, stage).has_value();
  }

  /// Plans a stage; tensors leave near memory while what they need whole has no room.
  void plan_stage(const std::string& name, const Room& room) {
    std::vector<std::string> direct;
    Remarks left;
    while (true) {
      const PlannedStage stage =
          how_.plans.stages().extract(out_.state, name, direct, how_.decided);
      are_boxes_larger_ = false;
      try {
        plan_extracted(stage, room);
        break;
      } catch (const CapacityError&) {
        auto tensor = left_out_first(out_.state, stage, room);
        if (!tensor && are_boxes_larger_) tensor = left_out_of_boxes(stage);
        if (!tensor) throw;
        direct.push_back(tensor->tensor);
        left.push_back(main_memory_remark(stage, tensor->tensor, tensor->why));
      }
    }
    out_.remarks.insert(out_.remarks.end(), left.begin(), left.end());
  }

  void plan_extracted(const PlannedStage& stage, Room room) {
    const std::string& name = stage.model.name;
    const bool is_empty =
        std::any_of(stage.model.loops.begin(), stage.model.loops.end(),
                    [](const memory_planner::LoopModel& loop) { return loop.extent == 0; });
    if (is_empty || stage.loops.empty()) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "left as it is",
                              is_empty ? "it computes nothing" : "it computes one element",
                              how_.where});
      return;
    }
    const auto inside = loops_inside_buffers(out_.state, name);
    if (inside) {
      if (how_.is_optimal) {
        out_.remarks.push_back({"auto_buffer on '" + name + "'", "kept its loops",
                                "it has a buffer, and the others are put at its place",
                                how_.where});
      }
      write(stage, plan_in_place(stage, *inside), room);
      return;
    }
    const std::string fixed = how_.is_optimal ? what_is_fixed(out_.state, stage, how_.target) : "";
    if (how_.is_optimal && fixed.empty()) {
      search_stage(stage, room);
      return;
    }
    if (how_.is_optimal) {
      out_.remarks.push_back({"auto_buffer on '" + name + "'", "planned as by planner=\"greedy\"",
                              "the search plans whole stages, and " + fixed, how_.where});
    }
    const Room whole = room;
    while (true) {
      const StagePlan plan =
          memory_planner::plan_greedily(stage.model, room, how_.target.cores.count);
      if (!plan.choice.fits) {
        if (room.capacity_bytes < whole.capacity_bytes) fail_boxes(name, tried_, whole, how_.where);
        fail_capacity(out_.state, stage, plan, room, how_.where);
      }
      const std::int64_t bytes = write(stage, plan, whole);
      if (bytes <= whole.capacity_bytes) return;
      // The boxes are larger than the tiles: plan again for as much less.
      room.capacity_bytes = plan.choice.bytes * whole.capacity_bytes / bytes;
      are_boxes_larger_ = true;
    }
  }

  memory_planner::CostInputs inputs(const memory_planner::StageModel& stage,
                                    const memory_planner::BodyModel& body) const {
    return {&stage, &body, &how_.target, how_.target.engine_or_null(how_.target.default_scope)};
  }

  Remark main_memory_remark(const PlannedStage& stage, const std::string& tensor,
                            const std::string& why) const {
    return {"auto_buffer of '" + tensor + "' in '" + stage.model.name + "'",
            "accessed in main memory", why, how_.where};
  }

  /// Takes from `means` what a primitive refused.
  void leave_out(const PlannedStage& stage, const RefusedChoice& refused,
                 memory_planner::Means& means) {
    out_.remarks.push_back(
        {"auto_buffer on '" + stage.model.name + "'", refused.what, refused.why, how_.where});
    if (refused.alone < 0) {
      means.micro_kernels = false;
    } else {
      means.alone.push_back(refused.alone);
    }
  }

  /// What a tile writes of a triangle is no box; what it writes of one row is. So tiles of what is
  /// written get one iteration of the loops over outer dimensions, one loop after the other, until
  /// a buffer of it can be made. Everything else without a buffer is left in main memory.
  void leave_unstaged(const PlannedStage& stage, const UnstagedTensor& refused,
                      memory_planner::Means& means) {
    const auto& tensor = stage.model.tensors[static_cast<std::size_t>(refused.tensor)];
    const bool is_written = tensor.direction == memory_planner::AccessDirection::Write;
    for (std::size_t d = 0; is_written && d + 1 < tensor.dims.size(); ++d) {
      for (const memory_planner::IndexTerm& term : tensor.dims[d].terms) {
        const memory_planner::LoopModel& loop =
            stage.model.loops[static_cast<std::size_t>(term.loop)];
        const bool is_given = loop.held != memory_planner::HeldBy::Nobody;
        if (loop.extent <= 1 || is_given || !means.may_tile(term.loop)) continue;
        means.single.push_back(term.loop);
        out_.remarks.push_back({"auto_buffer on '" + stage.model.name + "'",
                                "tiles have one iteration of '" + loop.name + "'", refused.why.why,
                                how_.where});
        return;
      }
    }
    means.direct.push_back(refused.tensor);
    out_.remarks.push_back(refused.why);
  }

  /// Of a band most tiles of several rows are empty, which the model does not know of, and cores
  /// that have such tiles would be idle: tiles of it have one row.
  void keep_rows_of_bands(const PlannedStage& stage, memory_planner::Means& means) {
    for (const memory_planner::TensorModel& tensor : stage.model.tensors) {
      for (const memory_planner::Slant& slant : tensor.slants) {
        if (slant.sides < 2) continue;
        for (const auto& term : tensor.dims[static_cast<std::size_t>(slant.outer)].terms) {
          const memory_planner::LoopModel& loop =
              stage.model.loops[static_cast<std::size_t>(term.loop)];
          if (loop.extent <= 1 || !means.may_tile(term.loop)) continue;
          means.single.push_back(term.loop);
          out_.remarks.push_back({"auto_buffer on '" + stage.model.name + "'",
                                  "tiles have one iteration of '" + loop.name + "'",
                                  "'" + tensor.name +
                                      "' is a band, and which tiles of several rows are empty is "
                                      "not counted",
                                  how_.where});
        }
      }
    }
  }

  void search_stage(const PlannedStage& stage, Room room) {
    const Room whole = room;
    const memory_planner::BodyModel body =
        memory_planner::model_body(out_.state, stage.model, how_.target);
    const memory_planner::CostInputs in = inputs(stage.model, body);
    memory_planner::Means means;
    means.keeps_order = stage.keeps_order;
    means.direct = far_apart(stage.model, whole);
    keep_rows_of_bands(stage, means);
    for (const int t : means.direct) {
      out_.remarks.push_back(main_memory_remark(
          stage, shown_name(stage.model.tensors[static_cast<std::size_t>(t)]), kFarApart));
    }
    while (true) {
      const memory_planner::OptimalPlan found = how_.plans.plan(in, room, means);
      if (!found.plan.fits) {
        if (room.capacity_bytes < whole.capacity_bytes) {
          fail_boxes(stage.model.name, tried_, whole, how_.where);
        }
        const StagePlan greedy =
            memory_planner::plan_greedily(stage.model, room, how_.target.cores.count);
        fail_capacity(out_.state, stage, greedy, room, how_.where);
      }
      WrittenNest made = write_nest(out_.state, stage, found.plan, how_.where);
      if (made.refused) {
        leave_out(stage, *made.refused, means);
        continue;
      }
      if (!made.unstaged.empty()) {
        for (const UnstagedTensor& tensor : made.unstaged) {
          leave_unstaged(stage, tensor, means);
        }
        continue;
      }
      StageChoice choice = choice_of(made, stage, memory_planner::tiles_of(found.plan), whole);
      choice.planner = "optimal";
      choice.cycles = found.cost.total();
      choice.decisions = found.decisions;
      if (choice.buffer_bytes > whole.capacity_bytes) {
        // The boxes are larger than the tiles: plan again for as much less.
        room.capacity_bytes = found.plan.bytes * whole.capacity_bytes / choice.buffer_bytes;
        are_boxes_larger_ = true;
        continue;
      }
      if (found.plan.micro_kernel && choice.buffer_bytes != found.plan.bytes) {
        // Where rows of the buffers begin is not what the plan says.
        leave_out(stage,
                  {-1, "loops of C multiply",
                   "the boxes that were found hold " + std::to_string(choice.buffer_bytes) +
                       " bytes, the plan's tiles " + std::to_string(found.plan.bytes)},
                  means);
        continue;
      }
      keep(out_, std::move(made), std::move(choice));
      return;
    }
  }

  /// Applies a plan and keeps it if it fits; returns the bytes of its buffers.
  std::int64_t write(const PlannedStage& stage, const StagePlan& plan, const Room& room) {
    WrittenNest made = write_stage_plan(out_.state, stage, plan, how_.where);
    StageChoice choice = choice_of(made, stage, plan.choice.tiles, room);
    choice.planner = "greedy";
    const bool may_shrink = !loops_inside_buffers(out_.state, stage.model.name);
    const std::int64_t bytes = choice.buffer_bytes;
    if (may_shrink && bytes > room.capacity_bytes) return bytes;
    keep(out_, std::move(made), std::move(choice));
    return bytes;
  }

  /// What was made of a stage, but for who planned it.
  StageChoice choice_of(const WrittenNest& made, const PlannedStage& stage,
                        const memory_planner::Tiles& tiles, const Room& room) {
    MadeChoice out = driver::choice_of(made, stage, tiles, room, how_.target, how_.where);
    tried_ = std::move(out.buffers);
    return std::move(out.choice);
  }

  AutoBufferResult& out_;
  const StagePlanning& how_;
  std::vector<CapacityError::Buffer> tried_;  ///< of the last plan that was applied
  bool are_boxes_larger_ = false;             ///< than the tiles of a plan of the present stage
};

}  // namespace

LoopOrder plan_stage(AutoBufferResult& out, const dsl::Tensor& stage, const Room& room,
                     const StagePlanning& how) {
  return StagePlanner(out, how).plan(stage, room);
}

}  // namespace solway::driver
