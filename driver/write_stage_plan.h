#pragma once

#include <optional>

#include "driver/write_nest.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "schedule/state.h"

namespace solway::driver {

/// Applies a plan of the greedy planner as ordinary primitives: split, reorder, parallel,
/// buffer_read, buffer_write. A tensor for which no box of constant size is found, or whose proof
/// runs out of its budget, stays in main memory, with a remark; so does one that several nests of a
/// stage access, where the user keeps a loop of one of them outside. Throws what the primitives
/// throw.
WrittenNest write_stage_plan(const schedule::State& state,
                             const memory_planner::PlannedStage& stage,
                             const memory_planner::StagePlan& plan, const SourceLoc& where);

/// The same of a plan that may be wrong: nullopt where the order of its loops is illegal or not
/// decided. A tensor whose buffer would break a dependence stays in main memory, with a remark.
std::optional<WrittenNest> try_stage_plan(const schedule::State& state,
                                          const memory_planner::PlannedStage& stage,
                                          const memory_planner::StagePlan& plan,
                                          const SourceLoc& where);

}  // namespace solway::driver
