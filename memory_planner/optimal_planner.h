#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/greedy_planner.h"
#include "memory_planner/plan_cost.h"

namespace solway::memory_planner {

/// A choice, with what the model says of both sides; cycles of the stage.
struct Decision {
  std::string what;    ///< "stage A"
  std::string chosen;  ///< "one region in near memory"
  double cycles = 0;
  std::string instead;         ///< "load each element from main memory"
  double instead_cycles = -1;  ///< negative: it cannot be
  std::string why_not;         ///< why it cannot be: "no room"
};

struct OptimalPlan {
  NestPlan plan;
  PlanCost cost;
  std::vector<Decision> decisions;
  std::int64_t evaluated = 0;  ///< plans whose cycles were counted
};

/// The plan of the greedy planner in the form that the model counts.
NestPlan plan_of(const StageModel& stage, const StagePlan& greedy, const Room& room, int cores);

/// The plan with the fewest cycles by the model among:
///
/// - no parallel loop, one, or two on the mesh; parts as equal as the extents allow;
/// - the loop that runs in vectors, and what registers hold: factors that leave no remainder, of
///   each vector loop the four whose arithmetic is fastest;
/// - tiles: the divisors of a part, thinned to `kTileSizes` per loop; of loops of a reduction also
///   powers of 2;
/// - every order of the loops over tiles of an output, those of reductions inside them;
/// - buffers of depth 1 or 2, or none.
///
/// The greedy plan is a candidate, so this one is never worse by the model. Plans whose computing
/// alone takes longer than the best so far are not looked at further. Needs: all loops free.
OptimalPlan plan_optimally(const CostInputs& in, const Room& room);

}  // namespace solway::memory_planner
