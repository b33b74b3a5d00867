#pragma once

#include <string>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Cycles, by the model, of stages as auto_buffer plans them: each by itself or its loops divided,
/// a border filled where it is read or stored, a product in the tiles of its reader or apart,
/// whichever is cheaper. `stages` are names in program order, each free (memory_planner::is_free).
double expected_cycles(const schedule::State& state, const std::vector<std::string>& stages,
                       const Target& target, const memory_planner::Room& room,
                       memory_planner::PlanMemo& plans, const SourceLoc& where);

}  // namespace solway::driver
