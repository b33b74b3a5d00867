#pragma once

#include <set>
#include <string>
#include <vector>

#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Whether references of a stage to a tensor that lie apart (memory_planner/reference_groups.h)
/// have a buffer for each group, or one buffer around all of them.
///
///   Y[i] = X[i] + X[i + 65536]    a box around both has 65,537 elements at least
///   Y[i, j] = X[i, j] + X[j, i]   one around a tile and its mirror image may be all of X
///   Y[i] = X[i] + X[i + 16]       one of 64 iterations has 80, two have 128
struct ReferenceChoice {
  /// Tensors whose groups have buffers of their own: for memory_planner::Decided::apart.
  std::set<std::string> apart;
  /// Of each tensor with several groups, with the cycles of the stage.
  std::vector<memory_planner::Decision> decisions;
  std::vector<std::string> tensors;  ///< of each decision
  double cycles = 0;                 ///< of the best plan of the stage
};

/// Compares the best plans with the cost model, one tensor after the other. Nothing is apart where
/// the stage has no such references; `decided` says how its other tensors are staged.
ReferenceChoice choose_references(const schedule::State& state, const std::string& stage,
                                  const Target& target, const memory_planner::Room& room,
                                  memory_planner::PlanMemo& plans,
                                  const memory_planner::Decided& decided);

}  // namespace solway::driver
