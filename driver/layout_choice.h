#pragma once

#include <optional>
#include <string>

#include "driver/form_choice.h"
#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Looks for a loop of a sum along which vectors would be whole if its dimension were the last of
/// what the stage writes and reads:
///
///   before: S[f, y, x] = sum of P[c, y + r, x + q] * W[f, c, r, q]    13 columns: no whole vectors
///   after:  W_layout[c, r, q, f] = W[f, c, r, q]                      transform_layout
///           S[y, x, f] = sum of P[c, y + r, x + q] * W_layout[c, r, q, f]
///
/// The caller's tensors are copied, which counts, as does what other stages that use them take
/// then. Candidates are the spatial loops of whole vectors that stand by themselves in the index of
/// each tensor that depends on them. The model has to see more gain than its error.
///
/// nullopt where there is no candidate: the stage is no sum or has no vectors, or the user has
/// scheduled it, or others that a layout concerns.
std::optional<FormChoice> choose_layouts(const schedule::State& state, const std::string& stage,
                                         const Target& target, const memory_planner::Room& room,
                                         memory_planner::PlanMemo& plans, const SourceLoc& where);

}  // namespace solway::driver
