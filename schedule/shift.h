#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs everything in a loop `distance` iterations later. The loop keeps its name.
///
///   before: for i in [0, N): S(i)
///   after:  for i in [distance, N + distance): S(i - distance)
///
/// A loop that runs several stages is moved as a whole, which changes nothing but its range; before
/// fuse_with, the stage alone is moved against what it is fused with. Always legal.
State shift(const State& state, const std::string& stage, LoopId axis, std::int64_t distance,
            const SourceLoc& where);

}  // namespace solway::schedule
