#pragma once

#include <string>
#include <vector>

#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "schedule/state.h"
#include "support/error.h"

namespace solway::driver {

/// Throws CapacityError for a stage whose smallest tiles, in `plan`, do not fit: names what the
/// schedule fixed.
[[noreturn]] void fail_capacity(const schedule::State& state,
                                const memory_planner::PlannedStage& stage,
                                const memory_planner::StagePlan& plan,
                                const memory_planner::Room& room, const SourceLoc& where);

/// Throws CapacityError for a stage whose smallest tiles fit, but not the buffers `tried` that
/// were made for them.
[[noreturn]] void fail_boxes(const std::string& stage,
                             const std::vector<CapacityError::Buffer>& tried,
                             const memory_planner::Room& room, const SourceLoc& where);

}  // namespace solway::driver
