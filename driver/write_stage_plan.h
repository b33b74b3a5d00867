#pragma once

#include <cstdint>

#include "driver/write_nest.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "schedule/state.h"

namespace solway::driver {

/// What becomes of a tensor whose buffer would break a dependence.
enum class IllegalBuffer : std::uint8_t {
  Throw,   ///< the planner has made a mistake
  LeftOut  ///< it stays in main memory, with a remark
};

/// Applies a plan of the greedy planner as ordinary primitives: split, reorder, parallel,
/// buffer_read, buffer_write. A tensor for which no box of constant size is found, or whose proof
/// runs out of its budget, stays in main memory, with a remark; so does one that several nests of a
/// stage access, where the user keeps a loop of one of them outside. Throws what the primitives
/// throw.
WrittenNest write_stage_plan(const schedule::State& state,
                             const memory_planner::PlannedStage& stage,
                             const memory_planner::StagePlan& plan, IllegalBuffer illegal,
                             const SourceLoc& where);

}  // namespace solway::driver
