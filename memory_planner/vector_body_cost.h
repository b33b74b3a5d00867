#pragma once

#include "schedule/statement.h"
#include "support/target.h"

namespace solway::memory_planner {

/// Arithmetic of one vector of a statement's results, on a CPU that starts two operations on
/// vectors in each cycle.
struct VectorBodyCost {
  double cycles = 0.5;      ///< that its pipes are busy
  double chain_cycles = 0;  ///< of an update: from one sum to the next
  int carried = 1;          ///< registers in which a loop keeps one vector of results
};

/// Counts the operations in a statement's expressions, and in those that were inlined there. The
/// figures are those of present x86 cores (docs/cpu_schedules.md); latencies are the target's.
VectorBodyCost cost_of_body(const schedule::Statement& s, const Target& target);

}  // namespace solway::memory_planner
