#pragma once

#include "memory_planner/greedy_planner.h"
#include "memory_planner/plan_cost.h"

namespace solway::memory_planner {

/// Cycles of a plan that keeps the order of a stage's loops, the start and the end of the cores not
/// counted; `depths` as in NestPlan. A tensor that the stage changes is loaded again in each
/// iteration of the loops around the buffers, in steps (StagePlan::steps) all tensors are, and a
/// barrier of all cores stands before each step.
double in_order_cycles(const CostInputs& in, const StagePlan& plan, const std::vector<int>& depths);

/// The innermost loop, where it can run in vectors: spatial, within the tiles, and along it what is
/// written lies side by side and what is read, too, or is the same; -1 without.
int innermost_lanes(const CostInputs& in, const StagePlan& plan);

}  // namespace solway::memory_planner
