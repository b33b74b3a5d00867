#pragma once

#include <optional>
#include <string>

#include "driver/reader_cycles.h"
#include "memory_planner/choose_tiles.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Compares a stage that copies a tensor with a border around it, stored and loaded again, with
/// buffers of its reader in which the border is filled (schedule::Padding), the reader planned with
/// its own reader where that pays. nullopt where there is no choice: it is no such copy, others
/// than one stage read it, or the user has scheduled one of the two.
std::optional<CopyChoice> choose_border(const schedule::State& state, const std::string& stage,
                                        const Target& target, const memory_planner::Room& room,
                                        memory_planner::PlanMemo& plans,
                                        const memory_planner::Decided& decided,
                                        const SourceLoc& where);

}  // namespace solway::driver
