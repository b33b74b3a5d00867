#pragma once

#include <string>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_memo.h"
#include "memory_planner/stage_model.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// What is left of the cycles where another form of a program pays: the model is a few percent off.
inline constexpr double kWorthwhile = 0.92;

/// Whether the search may plan all of a stage, of which the user has scheduled nothing.
bool is_plannable(const schedule::State& state, const std::string& stage,
                  memory_planner::PlanMemo& plans);

/// Cycles that no plan of a stage goes below: all cores compute whole vectors of terms, `lanes` in
/// each, one in a cycle.
double least_computing(const memory_planner::StageModel& stage, int lanes, const Target& target);

/// Cycles, by the model, of stages as auto_buffer plans them: each by itself or its loops divided,
/// a border filled where it is read or stored, a product in the tiles of its reader or apart,
/// whichever is cheaper. `stages` are names in program order, each is_plannable().
double expected_cycles(const schedule::State& state, const std::vector<std::string>& stages,
                       const Target& target, const memory_planner::Room& room,
                       memory_planner::PlanMemo& plans, const SourceLoc& where);

}  // namespace solway::driver
