#pragma once

#include "schedule/state.h"

/// Whether two schedules are the same, by identity of what is immutable: cheap to see, and false
/// says nothing.
namespace solway::schedule {

/// In all that a proof of a section looks at, see section.h.
bool is_same_section(const State& a, const State& b);

/// In what statements access, and in which order they run as written: in all that dependences_of
/// looks at.
bool have_same_accesses(const Program& a, const Program& b);

/// In the program, the loops with their marks, and which primitives made them: in all that a
/// planner looks at.
bool is_same_schedule(const State& a, const State& b);

}  // namespace solway::schedule
