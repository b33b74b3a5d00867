#pragma once

#include "memory_planner/vector_plan.h"

namespace solway::memory_planner {

/// Vectors that accumulate apart in each of so many sums whose terms run in lanes: several, or as
/// many as one turn of the loops around has where their lanes stay apart (lowering/lane_sums.h).
double vectors_apart(const VectorStage& stage, const VectorPlan& plan, double sums);

/// Cycles to combine the lanes of so many sums of one tile, whose terms run in these.
double combining_cycles(const VectorStage& stage, const VectorPlan& plan, double sums);

}  // namespace solway::memory_planner
