#pragma once

#include <vector>

#include "memory_planner/plan_decisions.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Of each loop in which transfers run ahead of their use, whether its first and last iterations
/// are peeled off (lowering/peel_pipelines.h), with the cycles of both sides; none where the target
/// has no figures for that. Throws what lower_kernel() throws.
std::vector<memory_planner::Decision> peeling_decisions(const schedule::State& state,
                                                        const Target& target,
                                                        const SourceLoc& where);

}  // namespace solway::driver
