#pragma once

#include <cstddef>
#include <vector>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"
#include "support/target.h"

namespace solway::memory_planner {

/// Of plans in the order of their cycles the best of up to three kinds, which are numbers of
/// vectors in a row of a tile, where these are nearly as good as the very best, for the model does
/// not know which of them a real core likes; then the best of the rest, and the one that leaves the
/// stage as it is. The very best stands first; other kinds have terms together where that was seen
/// to be better, as without they do not come near it.
std::vector<VectorPlan> of_several_kinds(const VectorStage& stage, const CacheModel& caches,
                                         const std::vector<VectorPlan>& sorted, std::size_t count);

/// The same tile in other ways, of which a core may like one better than the model does: without
/// requests for lines, without copies, with the terms of a short loop written out or not, and in
/// groups of tiles. Each has its cycles by the model.
std::vector<VectorPlan> variants_of(const VectorStage& stage, const Target& target,
                                    const VectorPlan& plan);

}  // namespace solway::memory_planner
