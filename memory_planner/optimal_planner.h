#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/greedy_planner.h"
#include "memory_planner/plan_cost.h"
#include "memory_planner/plan_decisions.h"

namespace solway::memory_planner {

struct OptimalPlan {
  NestPlan plan;
  PlanCost cost;
  /// As plans of stages are compared with each other: what it would cost if its pipelines were
  /// drained at the end of their innermost loops, and if what is put were waited for.
  double drained_cycles = 0;
  std::vector<Decision> decisions;
  std::int64_t evaluated = 0;  ///< plans whose cycles were counted
};

/// The plan of the greedy planner in the form that the model counts.
NestPlan plan_of(const StageModel& stage, const StagePlan& greedy, const Room& room, int cores);

/// The plan with the fewest cycles by the model among:
///
/// - no parallel loop, one, or two on the mesh, of the best plan either one on its rows; parts as
///   equal as the extents allow;
/// - the loop that runs in vectors, and what registers hold: factors that leave no remainder, of
///   each vector loop the four whose arithmetic is fastest;
/// - tiles: the divisors of a part, thinned to `kTileSizes` per loop; of loops of a reduction also
///   powers of 2;
/// - every order of the loops over tiles of an output, those of reductions inside them;
/// - buffers of depth 1 or 2, or none;
/// - tensors that the cores of a row, of a column or of the mesh read together;
/// - for products of matrices, micro-kernels that multiply whole tiles, in place of vectors.
///
/// The greedy plan is a candidate, so this one is never worse by the model. Plans whose computing
/// alone takes longer than the best so far are not looked at further. Needs: all loops free.
///
/// `means` leaves out what a primitive has refused.
OptimalPlan plan_optimally(const CostInputs& in, const Room& room, const Means& means = {});

}  // namespace solway::memory_planner
