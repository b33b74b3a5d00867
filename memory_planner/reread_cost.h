#pragma once

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// Cycles in which operands come again from beyond the second-level cache: loop by loop over tiles,
/// from the innermost one outwards, an operand that the loop does not move is read again in each
/// iteration; it comes from the cache only where this holds all that one iteration touches.
///
///   for f: for x: C[f, x] += W[f, k] * X[x, k]     all of X again for each f, unless it fits
///   for x: for f: C[f, x] += W[f, k] * X[x, k]     all of W again for each x, unless it fits
///
/// Neighbours that are left out, as by a stride, count up to once as much: processors fetch lines
/// in pairs.
double reread_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

}  // namespace solway::memory_planner
