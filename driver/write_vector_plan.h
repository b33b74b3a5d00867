#pragma once

#include <string>
#include <vector>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"
#include "schedule/state.h"
#include "support/remark.h"

namespace solway::driver {

/// A stage with a plan for a vector CPU applied.
struct WrittenVectors {
  schedule::State state;
  std::vector<std::string> buffers;  ///< their names
  Remarks remarks;                   ///< what was left out, and why
};

/// Applies a plan as ordinary primitives: split, reorder, unroll, vectorize, buffer_read to panels,
/// buffer_write to registers. A buffer that is refused is left out, with a remark. Throws what the
/// other primitives throw.
WrittenVectors write_vector_plan(const schedule::State& state,
                                 const memory_planner::VectorStage& stage,
                                 const memory_planner::VectorPlan& plan, const SourceLoc& where);

}  // namespace solway::driver
