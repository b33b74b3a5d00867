#include "driver/plan_in_order.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "driver/plans_in_order.h"
#include "driver/write_stage_plan.h"
#include "memory_planner/body_model.h"
#include "memory_planner/in_order_cost.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::PlannedStage;
using memory_planner::Room;
using memory_planner::StagePlan;

/// A plan, and its cycles if all tensors are staged; 0 where they are not compared.
struct Candidate {
  StagePlan plan;
  double cycles = 0;
};

/// A plan that is legal and has room.
struct Made {
  WrittenNest nest;
  StageChoice choice;
  StagePlan plan;
  double cost = 0;  ///< cycles; where they are not compared, how many tensors are not staged
};

bool has_marks(const PlannedStage& stage) {
  const auto& loops = stage.model.loops;
  return std::any_of(loops.begin(), loops.end(), [](const auto& loop) { return loop.is_parallel; });
}

class OrderKeeper {
 public:
  OrderKeeper(AutoBufferResult& out, const std::string& name, const Room& room,
              const StagePlanning& how)
      : out_(out),
        room_(room),
        how_(how),
        stage_(how.plans.stages().extract(out.state, name)),
        cores_(has_marks(stage_) ? 1 : how.target.cores.count) {
    const auto& all = out.state.program->stages;
    is_searched_ = std::any_of(all.begin(), all.end(), [&](const dsl::Tensor& one) {
      return one->name == name && one->domain == nullptr;
    });
    // The model counts loops that the planner runs on cores.
    const bool is_counted =
        how.is_optimal && !has_marks(stage_) && out.state.original->sizes.empty();
    if (!is_counted) return;
    body_ = memory_planner::model_body(out.state, stage_.model, how.target,
                                       memory_planner::Iterated::Exactly);
  }

  void plan(const std::string& why) {
    const auto remark = [&](const std::string& verdict) {
      out_.remarks.push_back({"auto_buffer on '" + name() + "'", verdict, why, how_.where});
    };
    const std::vector<Candidate> all = candidates();
    auto best = best_of(all);
    if (!best) {
      remark("left as it is");
      return;
    }
    remark(best->choice.parallel.empty() ? "keeps the order of its loops, on one core"
                                         : "keeps the order of its other loops");
    if (body_) best->choice.cycles = cycles(best->plan, depths_of(*best));
    if (best->plan.steps > 0) best->choice.decisions = {in_steps(*best, all)};
    keep(out_, std::move(best->nest), std::move(best->choice));
  }

 private:
  const std::string& name() const { return stage_.model.name; }

  memory_planner::CostInputs inputs() const {
    return {&stage_.model, &*body_, &how_.target,
            how_.target.engine_or_null(how_.target.default_scope)};
  }

  double cycles(const StagePlan& plan, const std::vector<int>& depths) const {
    return memory_planner::in_order_cycles(inputs(), plan, depths);
  }

  double cycles(const StagePlan& plan) const {
    return cycles(plan, std::vector<int>(stage_.model.tensors.size(), 1));
  }

  /// Those to be tried first in front.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> out;
    if (loops_inside_buffers(out_.state, name())) return out;
    for (StagePlan& plan : plans_in_order(stage_, cores_)) out.push_back({std::move(plan)});
    if (!body_ || !is_searched_) return out;
    for (StagePlan& plan : plans_in_steps(stage_, cores_)) out.push_back({std::move(plan)});
    const std::size_t scalar = out.size();
    for (std::size_t k = 0; k < scalar; ++k) {
      const int lanes = memory_planner::innermost_lanes(inputs(), out[k].plan);
      if (lanes < 0) continue;
      out.push_back(out[k]);
      out.back().plan.vector = lanes;
    }
    for (Candidate& one : out) one.cycles = cycles(one.plan);
    std::stable_sort(out.begin(), out.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cycles < b.cycles; });
    return out;
  }

  std::optional<Made> best_of(const std::vector<Candidate>& candidates) const {
    std::optional<Made> best;
    for (const Candidate& one : candidates) {
      if (best && best->cost <= one.cycles) break;
      auto made = try_plan(one.plan);
      if (!made || made->choice.buffers.empty()) continue;
      // What others change while a core reads it in main memory takes longer than is counted.
      if (made->plan.steps > 0 && !made->nest.unstaged.empty()) continue;
      made->cost = cost_of(*made);
      if (!best || made->cost < best->cost) best = std::move(made);
    }
    return best;
  }

  /// As in NestPlan.
  std::vector<int> depths_of(const Made& made) const {
    std::vector<int> depths(stage_.model.tensors.size(), 1);
    for (const UnstagedTensor& tensor : made.nest.unstaged) {
      depths[static_cast<std::size_t>(tensor.tensor)] = 0;
    }
    return depths;
  }

  double cost_of(const Made& made) const {
    const std::vector<int> depths = depths_of(made);
    if (body_ && is_searched_) return cycles(made.plan, depths);
    return static_cast<double>(std::count(depths.begin(), depths.end(), 0));
  }

  /// With smaller parts where they do not fit; nullopt when it is illegal or has no room.
  std::optional<Made> try_plan(StagePlan plan) const {
    try {
      while (true) {
        auto nest = try_stage_plan(out_.state, stage_, plan, how_.where);
        if (!nest) return std::nullopt;
        StageChoice choice =
            choice_of(*nest, stage_, plan.choice.tiles, room_, how_.target, how_.where).choice;
        choice.planner = "in order";
        if (choice.buffer_bytes <= room_.capacity_bytes) {
          return Made{*std::move(nest), std::move(choice), std::move(plan)};
        }
        if (plan.parallel < 0) return std::nullopt;
        std::int64_t& part = plan.choice.tiles[static_cast<std::size_t>(plan.parallel)];
        if (part == 1) return std::nullopt;
        part = (part + 1) / 2;
      }
    } catch (const IllegalScheduleError&) {
      return std::nullopt;
    } catch (const AnalysisBudgetError&) {
      return std::nullopt;
    } catch (const UnsupportedError&) {
      return std::nullopt;
    }
  }

  /// That the stage runs in steps, beside the least that one core would take.
  memory_planner::Decision in_steps(const Made& best, const std::vector<Candidate>& all) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Candidate& one : all) {
      if (one.plan.parallel < 0) least = std::min(least, one.cycles);
    }
    return {"cores of " + name(), "all cores, step by step", best.cost, "one core", least, ""};
  }

  AutoBufferResult& out_;
  const Room& room_;
  const StagePlanning& how_;
  PlannedStage stage_;
  int cores_;
  std::optional<memory_planner::BodyModel> body_;  ///< nullopt: nothing is counted
  /// Plans are compared by their cycles. Not those of a stage with where=, each of which takes long
  /// to prove: the first that is legal is taken, among those that stage the most tensors.
  bool is_searched_ = false;
};

}  // namespace

void plan_in_order(AutoBufferResult& out, const std::string& name, const Room& room,
                   const StagePlanning& how, const std::string& why) {
  OrderKeeper(out, name, room, how).plan(why);
}

}  // namespace solway::driver
