#pragma once

#include <isl/cpp.h>

#include "schedule/state.h"

namespace solway::schedule {

/// Those of `pairs` { S[iteration] -> T[iteration] } that stand under loop `id` and run in
/// different iterations of it, and in the same iterations of the loops around it.
isl::union_map in_other_iterations(const isl::union_map& pairs, const State& state, LoopId id);

}  // namespace solway::schedule
