#pragma once

#include <vector>

#include "memory_planner/optimal_planner.h"
#include "memory_planner/stage_memo.h"

namespace solway::memory_planner {

/// plan_optimally, with what it returned before. Who compares a stage by itself with a stage that
/// is planned together with others asks for the same search several times over.
class PlanMemo {
 public:
  /// `inner` is that of the means of all searches.
  explicit PlanMemo(InnerProduct inner = InnerProduct::Cheaper) : inner_(inner) {}

  /// What plan_optimally returns. The target's figures stay as they are while the memo lives.
  OptimalPlan plan(const CostInputs& in, const Room& room, Means means = {});

  /// The stages that are searched.
  StageMemo& stages() { return stages_; }

  std::size_t searches() const { return known_.size(); }

 private:
  struct Known {
    StageModel stage;
    BodyModel body;
    const Target* target;
    Room room;
    Means means;
    OptimalPlan plan;
  };

  InnerProduct inner_;
  StageMemo stages_;
  std::vector<Known> known_;
};

}  // namespace solway::memory_planner
