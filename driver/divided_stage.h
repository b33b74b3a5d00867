#pragma once

#include <optional>
#include <string>

#include "memory_planner/divide_loops.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "support/target.h"

namespace solway::driver {

/// A stage whose loops are divided where an index has a quotient or a remainder.
struct DividedStage {
  memory_planner::DividedLoops divided;
  memory_planner::Decision decision;  ///< with the cycles of the stage
};

/// Compares the best plan of a stage as it is with the best one after divide_loops. nullopt where
/// the first is no worse, nothing is to be divided, or the user has fixed something of the stage.
std::optional<DividedStage> divide_stage(const schedule::State& state, const std::string& stage,
                                         const Target& target, const memory_planner::Room& room,
                                         memory_planner::PlanMemo& plans,
                                         const memory_planner::Decided& decided,
                                         const SourceLoc& where);

/// Cycles of the best plan of a stage, divided or not.
double least_cycles(const schedule::State& state, const std::string& stage, const Target& target,
                    const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                    const memory_planner::Decided& decided, const SourceLoc& where);

}  // namespace solway::driver
