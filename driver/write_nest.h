#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory_planner/extract_stage.h"
#include "memory_planner/nest_plan.h"
#include "schedule/state.h"
#include "support/error.h"
#include "support/remark.h"

namespace solway::driver {

/// A choice of a plan that a primitive refused, so that the stage needs a plan without it.
struct RefusedChoice {
  int alone = -1;  ///< a tensor that cores cannot read together; -1: no micro-kernel
  std::string what;
  std::string why;
};

/// A tensor of a plan of which no buffer could be made.
struct UnstagedTensor {
  int tensor = -1;
  Remark why;
};

/// A stage with a plan applied.
struct WrittenNest {
  schedule::State state;
  Remarks remarks;                         ///< what was not staged, and why
  std::vector<std::string> buffers;        ///< their names
  std::string parallel;                    ///< the loops that run on different cores; "" without
  std::optional<RefusedChoice> refused;    ///< then nothing else is of use
  std::vector<UnstagedTensor> unstaged{};  ///< their remarks are among `remarks`, too
};

/// Says that a tensor of a stage is not staged, and why.
Remark left_in_main_memory(const std::string& tensor, const std::string& stage, const Error& error,
                           const SourceLoc& where);

/// Applies a plan as ordinary primitives: split, reorder, parallel, compute_at, buffer_write,
/// buffer_read, double_buffer, broadcast, vectorize, unroll, tensorize. A tensor for which no box
/// of constant size is found, or whose proof runs out of its budget, stays in main memory, with a
/// remark. Throws what the primitives throw.
WrittenNest write_nest(const schedule::State& state, const memory_planner::PlannedStage& stage,
                       const memory_planner::NestPlan& plan, const SourceLoc& where);

}  // namespace solway::driver
