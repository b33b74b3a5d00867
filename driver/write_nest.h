#pragma once

#include <string>
#include <vector>

#include "memory_planner/extract_stage.h"
#include "memory_planner/nest_plan.h"
#include "schedule/state.h"
#include "support/remark.h"

namespace solway::driver {

/// A stage with a plan applied.
struct WrittenNest {
  schedule::State state;
  Remarks remarks;                   ///< what was not staged, and why
  std::vector<std::string> buffers;  ///< their names
  std::string parallel;              ///< the loops that run on different cores; "" without
};

/// Applies a plan as ordinary primitives: split, reorder, parallel, buffer_write, buffer_read,
/// vectorize, unroll. A tensor for which no box of constant size is found, or whose proof runs out
/// of its budget, stays in main memory, with a remark. Throws what the primitives throw.
WrittenNest write_nest(const schedule::State& state, const memory_planner::PlannedStage& stage,
                       const memory_planner::NestPlan& plan, const SourceLoc& where);

}  // namespace solway::driver
