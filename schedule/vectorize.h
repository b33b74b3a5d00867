#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs the iterations of a loop in the lanes of vectors, strip-mined at lowering.
///
///   before: for i: S(i)
///   after:  for i vectorized: S(i)
///
/// Legal iff no two iterations conflict; updates of one declared reduction may.
State vectorize(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

}  // namespace solway::schedule
