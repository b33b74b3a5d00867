#include "memory_planner/plan_memo.h"

#include <algorithm>

namespace solway::memory_planner {

OptimalPlan PlanMemo::plan(const CostInputs& in, const Room& room, Means means) {
  means.inner = inner_;
  const auto is_asked = [&](const Known& one) {
    return one.target == in.target && one.room == room && one.means == means &&
           one.stage == *in.stage && one.body == *in.body;
  };
  const auto found = std::find_if(known_.begin(), known_.end(), is_asked);
  if (found != known_.end()) return found->plan;
  known_.push_back({*in.stage, *in.body, in.target, room, means, plan_optimally(in, room, means)});
  return known_.back().plan;
}

}  // namespace solway::memory_planner
