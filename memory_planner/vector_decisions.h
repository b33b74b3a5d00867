#pragma once

#include <string>
#include <vector>

#include "memory_planner/plan_decisions.h"
#include "memory_planner/vector_plan.h"
#include "support/target.h"

/// A plan of a stage for a vector CPU, in words.
namespace solway::memory_planner {

/// What the tiles of a plan are: "6 of i x 64 of j".
std::string describe_tile(const VectorStage& stage, const VectorPlan& plan);

/// What was chosen in a plan, with the model's cycles of the other side.
std::vector<Decision> vector_decisions(const VectorStage& stage, const Target& target,
                                       const VectorPlan& plan);

}  // namespace solway::memory_planner
