#pragma once

#include <optional>
#include <string>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Whether cores add up parts of the same sums, by the model.
struct DividedSum {
  std::optional<schedule::State> state;  ///< divided; nullopt where that does not pay
  std::string partial;                   ///< the stage of the parts, then
  memory_planner::Decision decision;     ///< with the cycles of both stages and of what reads them
};

/// Looks whether a sum of few results had better be divided, as these leave cores idle or move in
/// short blocks:
///
///   before: S[j] = sum over k of X[k] * W[k, j]
///   after:  S_rf[p, j] = sum over k of X[512 * p + k] * W[512 * p + k, j]     split, rfactor
///           S[j] = sum over p of S_rf[p, j]
///
/// Candidates are the divisors of the longest loop of the sum next to powers of 2, up to the number
/// of cores. The model has to see more gain than its error; that is small where main memory bounds
/// the sum.
///
/// nullopt where it is out of the question: the stage is no sum or has many results, no plan could
/// be much faster, the terms keep their order, or the user has scheduled it.
std::optional<DividedSum> divide_sum(const schedule::State& state, const std::string& stage,
                                     const Target& target, const memory_planner::Room& room,
                                     memory_planner::PlanMemo& plans, const SourceLoc& where);

}  // namespace solway::driver
