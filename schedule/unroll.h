#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Writes out the iterations of a loop one after the other.
///
///   before: for i in [0, 2): S(i)
///   after:  S(0); S(1)
///
/// Always legal: the order stays.
State unroll(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

}  // namespace solway::schedule
