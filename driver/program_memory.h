#pragma once

#include "schedule/state.h"
#include "support/source_loc.h"
#include "support/target.h"

namespace solway::driver {

/// Holds the buffers of a schedule against a target; `where` is the user's line that asked for it.
/// Throws UnsupportedError for a buffer in a memory that the target does not have, CapacityError
/// when the buffers of a scratchpad are larger than it, with all of them in a table.
void require_memory(const schedule::State& state, const Target& target, const SourceLoc& where);

}  // namespace solway::driver
