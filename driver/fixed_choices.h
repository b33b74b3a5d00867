#pragma once

#include <string>

#include "memory_planner/extract_stage.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// What the user has fixed of a stage that the search has no plans for, or what it cannot count; ""
/// when nothing.
std::string what_is_fixed(const schedule::State& state, const memory_planner::PlannedStage& stage,
                          const Target& target);

/// Whether the search plans a stage, if it runs at all: it computes something in loops, has no
/// buffers, and nothing is fixed that the search has no plans for.
bool may_search(const schedule::State& state, const memory_planner::PlannedStage& stage,
                const Target& target);

}  // namespace solway::driver
