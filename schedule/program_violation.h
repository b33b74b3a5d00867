#pragma once

#include "schedule/program_breach.h"
#include "support/error.h"

namespace solway::schedule {

/// Two programs, as find_breach compared them.
struct Comparison {
  const Program& original;
  const Program& program;
  const ElementProgram& before;
  const ElementProgram& after;
};

/// The error for the breach that shows first when the program runs. Bounded to kProgramBudget
/// operations; beyond, the error names no instances.
IllegalScheduleError program_violation(const Comparison& programs, const Breach& breach,
                                       const Request& request);

}  // namespace solway::schedule
