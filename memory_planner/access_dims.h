#pragma once

#include <vector>

#include "memory_planner/stage_model.h"
#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::memory_planner {

/// How the index of each dimension of an array moves with the loops, from access relations. Terms
/// name positions in `loops`. The growth of a term is the largest step of the index over all pairs
/// of neighbouring iterations, so that a footprint made of it covers what a tile touches, whatever
/// floors and remainders the index holds.
std::vector<DimModel> access_dims(const schedule::State& state,
                                  const std::vector<schedule::Access>& accesses,
                                  const std::vector<schedule::LoopId>& loops);

}  // namespace solway::memory_planner
