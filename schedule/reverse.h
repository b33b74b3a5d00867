#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs the iterations of a loop from the last to the first. The loop keeps its name and range.
///
///   before: for i in [b, e): S(i)
///   after:  for i in [b, e): S(b + e - 1 - i)
///
/// Legal iff no dependence runs backwards or at the same time. Throws IllegalScheduleError
/// otherwise.
State reverse(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

}  // namespace solway::schedule
