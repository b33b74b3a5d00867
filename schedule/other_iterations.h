#pragma once

#include <isl/cpp.h>

#include "schedule/state.h"

namespace solway::schedule {

/// { S[iteration] -> T[iteration] }: instances under loop `id` that run in different iterations of
/// it, and in the same iterations of the loops around it.
isl::union_map other_iterations(const State& state, LoopId id);

}  // namespace solway::schedule
