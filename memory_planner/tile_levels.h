#pragma once

#include <vector>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// A loop over tiles of a plan, or over groups of them.
struct TileLevel {
  int loop = -1;  ///< whose tiles or groups they are
  double iterations = 1;
  bool is_of_groups = false;
};

/// Tiles of a loop that a plan runs, those of all groups.
double tiles_of(const VectorStage& stage, const VectorPlan& plan, int loop);

/// The loops over tiles of a plan, outermost first. Loops that stand where they are stand around
/// groups, and groups around all others.
///
///   for y.g in [0, 14): for f in [0, 16): for y in [0, 2): for x in [0, 2): ...
std::vector<TileLevel> tile_levels(const VectorStage& stage, const VectorPlan& plan);

}  // namespace solway::memory_planner
