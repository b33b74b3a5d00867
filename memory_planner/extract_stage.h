#pragma once

#include <set>
#include <string>
#include <vector>

#include "memory_planner/stage_model.h"
#include "schedule/state.h"

namespace solway::memory_planner {

/// A stage as the planner sees it.
struct PlannedStage {
  StageModel model;
  std::vector<schedule::LoopId> loops;  ///< the loop of each LoopModel
  bool keeps_order = false;             ///< the user has reordered the stage's loops
};

/// Describes a stage from its access relations. What the user fixed is marked as such: a parallel
/// loop and the outer loop of a split stand outside the buffers; vectorized and unrolled loops and
/// the inner loop of a split inside. The inner loop of a split whose outer loop is parallel is
/// free: such a split says what a core does, not what a tile is.
///
/// The values of reductions nested in its expression are tensors of the stage, too. A reduction's
/// loop, where a tensor is accessed under it and beside it, lies inside the buffers.
///
/// `filled` names tensors whose border is filled in near memory: TensorModel::border.
///
/// `direct` names tensors that are not to be staged, and are left out.
PlannedStage extract_stage(const schedule::State& state, const std::string& stage,
                           const std::vector<std::string>& direct = {},
                           const std::set<std::string>& filled = {});

}  // namespace solway::memory_planner
