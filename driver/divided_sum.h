#pragma once

#include <optional>
#include <string>

#include "driver/form_choice.h"
#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Looks whether a sum, or another reduction, of several values as well, of few results had better
/// be divided, as these leave cores idle or move in short blocks:
///
///   before: S[j] = sum over k of X[k] * W[k, j]
///   after:  S_rf[p, j] = sum over k of X[512 * p + k] * W[512 * p + k, j]     split, rfactor
///           S[j] = sum over p of S_rf[p, j]
///
/// Candidates are the divisors of the longest loop of the sum next to powers of 2, up to the number
/// of cores, from 8 on; of fewer cores as many. The model has to see more gain than its error; that
/// is small where main memory bounds the sum.
///
/// The stage of the choice is that of the parts: its first tensor.
///
/// nullopt where it is out of the question: the stage has no single reduction or many results, no
/// plan could be much faster, the terms keep their order, or the user has scheduled it.
std::optional<FormChoice> divide_sum(const schedule::State& state, const std::string& stage,
                                     const Target& target, const memory_planner::Room& room,
                                     memory_planner::PlanMemo& plans, const SourceLoc& where);

}  // namespace solway::driver
