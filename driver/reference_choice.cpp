#include "driver/reference_choice.h"

#include <algorithm>
#include <utility>

#include "driver/left_out.h"
#include "memory_planner/body_model.h"
#include "memory_planner/reference_groups.h"

namespace solway::driver {
namespace {

using memory_planner::AccessDirection;
using memory_planner::Decided;
using memory_planner::Decision;
using memory_planner::PlannedStage;
using memory_planner::TensorModel;
using schedule::State;

/// A way to stage what a stage reads, with its best plan.
struct Way {
  PlannedStage stage;
  std::vector<int> far;  ///< tensors of which no box has room
  double cycles = 0;
  bool fits = false;

  bool is_better_than(const Way& other) const {
    return fits && (!other.fits || cycles < other.cycles);
  }
};

class ReferenceChooser {
 public:
  ReferenceChooser(const State& state, const std::string& stage, const Target& target,
                   const memory_planner::Room& room, memory_planner::PlanMemo& plans)
      : state_(state), stage_(stage), target_(target), room_(room), plans_(plans) {}

  ReferenceChoice run(Decided decided) {
    ReferenceChoice out;
    Way best = way(decided);
    for (const std::string& tensor : separable(best.stage)) {
      Decided apart = decided;
      apart.apart[stage_].insert(tensor);
      Way other = way(apart);
      out.tensors.push_back(tensor);
      if (!other.is_better_than(best)) {
        out.decisions.push_back(
            decision(tensor, together(best, tensor), best, in_groups(other, tensor), other));
        continue;
      }
      out.decisions.push_back(
          decision(tensor, in_groups(other, tensor), other, together(best, tensor), best));
      out.apart.insert(tensor);
      decided = std::move(apart);
      best = std::move(other);
    }
    out.cycles = best.cycles;
    return out;
  }

 private:
  Way way(const Decided& decided) {
    Way out;
    out.stage = plans_.stages().extract(state_, stage_, {}, decided);
    const memory_planner::BodyModel body =
        memory_planner::model_body(state_, out.stage.model, target_);
    const memory_planner::CostInputs in{&out.stage.model, &body, &target_,
                                        target_.engine_or_null(target_.default_scope)};
    memory_planner::Means means;
    means.keeps_order = out.stage.keeps_order;
    means.direct = out.far = far_apart(out.stage.model, room_);
    const memory_planner::OptimalPlan found = plans_.plan(in, room_, means);
    out.cycles = found.drained_cycles;
    out.fits = found.plan.fits;
    return out;
  }

  /// The tensors whose references lie apart.
  std::vector<std::string> separable(const PlannedStage& stage) const {
    std::vector<std::string> out;
    for (const TensorModel& tensor : stage.model.tensors) {
      const bool is_plain = tensor.direction == AccessDirection::Read && !tensor.is_local &&
                            tensor.border.empty() && !tensor.turning && !tensor.references;
      if (!is_plain) continue;
      if (memory_planner::reference_groups(state_, stage_, tensor.name).size() > 1) {
        out.push_back(tensor.name);
      }
    }
    return out;
  }

  /// "each in a buffer: X[i]; X[i + 65536]"
  static std::string in_groups(const Way& way, const std::string& tensor) {
    std::string out;
    for (const TensorModel& one : way.stage.model.tensors) {
      if (one.name != tensor) continue;
      out += (out.empty() ? "a buffer for each: " : "; ") + memory_planner::shown_name(one);
    }
    return out;
  }

  static std::string together(const Way& way, const std::string& tensor) {
    const bool is_far = std::any_of(way.far.begin(), way.far.end(), [&](int t) {
      return way.stage.model.tensors[static_cast<std::size_t>(t)].name == tensor;
    });
    return is_far ? "in main memory, as one box has no room" : "one buffer around all";
  }

  static Decision decision(const std::string& tensor, const std::string& chosen, const Way& now,
                           const std::string& instead, const Way& other) {
    Decision out{"references to " + tensor, chosen, now.cycles, instead, -1, ""};
    if (other.fits) {
      out.instead_cycles = other.cycles;
    } else {
      out.why_not = "no room";
    }
    return out;
  }

  const State& state_;
  const std::string& stage_;
  const Target& target_;
  const memory_planner::Room& room_;
  memory_planner::PlanMemo& plans_;
};

}  // namespace

ReferenceChoice choose_references(const State& state, const std::string& stage,
                                  const Target& target, const memory_planner::Room& room,
                                  memory_planner::PlanMemo& plans, const Decided& decided) {
  return ReferenceChooser(state, stage, target, room, plans).run(decided);
}

}  // namespace solway::driver
