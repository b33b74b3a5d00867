#pragma once

#include <optional>
#include <string>

#include "driver/reader_cycles.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Compares a stage that stores a tensor in another layout, to be loaded again, with tiles that are
/// turned in near memory, where its only reader uses them:
///
///   before: for f: for c: W_layout[c, f] = W[f, c]
///           for fo: for co: read a tile of W_layout; S[...] += ...
///   after:  for fo: for co: read a tile of W; W_layout[c, f] = WW[f, c]; S[...] += ...
///
/// The reader is planned with its own reader where that pays. nullopt where there is no choice: the
/// layout is more than another order of dimensions, others read it, too, or the user has scheduled
/// one of the two.
std::optional<CopyChoice> choose_turning(const schedule::State& state, const std::string& stage,
                                         const Target& target, const memory_planner::Room& room,
                                         memory_planner::PlanMemo& plans,
                                         const memory_planner::Decided& decided,
                                         const SourceLoc& where);

}  // namespace solway::driver
