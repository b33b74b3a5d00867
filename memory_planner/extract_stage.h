#pragma once

#include <map>
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

/// Whether nothing of a stage is fixed, and it computes something: the search may plan all of it.
bool is_free(const PlannedStage& stage);

/// What a planner has decided of a schedule before it describes a stage.
struct Decided {
  std::set<std::string> filled;        ///< tensors whose border is filled in near memory
  std::set<schedule::LoopId> divided;  ///< loops that divide_loops made, free as those before them
  std::set<std::string> turned = {};   ///< other layouts of tensors, made in near memory
  /// By stage, the tensors of which each of the reference_groups has a buffer of its own.
  std::map<std::string, std::set<std::string>> apart = {};

  friend bool operator==(const Decided&, const Decided&) = default;
};

/// Describes a stage from its access relations. What the user fixed is marked as such: a parallel
/// loop and the outer loop of a split stand outside the buffers; vectorized and unrolled loops and
/// the inner loop of a split inside. The inner loop of a split whose outer loop is parallel is
/// free: such a split says what a core does, not what a tile is.
///
/// The values of reductions nested in its expression are tensors of the stage, too. A reduction's
/// loop, where a tensor is accessed under it and beside it, lies inside the buffers.
///
/// Of tensors whose border is filled there is a TensorModel::border, of those that are turned a
/// TensorModel::turning. Of those whose references are apart there is one TensorModel for each
/// group.
///
/// `direct` names tensors that are not to be staged, and are left out.
PlannedStage extract_stage(const schedule::State& state, const std::string& stage,
                           const std::vector<std::string>& direct = {},
                           const Decided& decided = {});

}  // namespace solway::memory_planner
