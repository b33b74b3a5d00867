#pragma once

#include <string>

#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Cycles of a stage by the model, its loops divided or not, less what is saved where its tiles are
/// used up in the loops of its own reader. Who decides in which form the stage finds its operands
/// compares that.
double reader_cycles(const schedule::State& state, const std::string& stage, const Target& target,
                     const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                     const memory_planner::Decided& decided, const SourceLoc& where);

}  // namespace solway::driver
