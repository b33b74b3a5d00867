#include "memory_planner/lane_sum_cost.h"

#include "memory_planner/vector_plan_cost.h"

namespace solway::memory_planner {
namespace {

constexpr double kCombined = 25;          ///< lanes of a sum, at its end
constexpr double kTurnStart = 0.5;        ///< of loops around lanes that stay apart
constexpr double kUsualVectors = 4;       ///< that accumulate apart
constexpr std::int64_t kMostVectors = 4;  ///< of one turn, to stay apart

/// Turns of the loops of the sum around its lanes.
double turns_around(const VectorStage& stage, const VectorPlan& plan) {
  double out = 1;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const bool is_around = k != plan.vector && stage.around[at] && is_reduction(stage, k);
    if (is_around) out *= static_cast<double>(stage.loops[at].extent);
  }
  return out;
}

/// Whether lanes stay apart while the loops around them run.
bool stay_apart(const VectorStage& stage, const VectorPlan& plan, double sums) {
  return stage.has_free_order && !stage.is_scalable && sums == 1 && turns_around(stage, plan) > 1 &&
         steps_along(stage, plan, plan.vector) <= kMostVectors;
}

}  // namespace

double vectors_apart(const VectorStage& stage, const VectorPlan& plan, double sums) {
  if (sums > 1) return 1;
  if (!stay_apart(stage, plan, sums)) return kUsualVectors;
  return static_cast<double>(steps_along(stage, plan, plan.vector));
}

double combining_cycles(const VectorStage& stage, const VectorPlan& plan, double sums) {
  const double turns = turns_around(stage, plan);
  if (stay_apart(stage, plan, sums)) return kCombined + turns * kTurnStart;
  return sums * turns * kCombined;
}

}  // namespace solway::memory_planner
