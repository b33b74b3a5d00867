#pragma once

#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::schedule {

/// The loops of `stage` that have this name; where it has none now, the last one that a primitive
/// replaced, so that require_loop can name that primitive. Empty: there never was one.
std::vector<LoopId> loops_named(const State& state, const std::string& stage,
                                const std::string& name);

}  // namespace solway::schedule
