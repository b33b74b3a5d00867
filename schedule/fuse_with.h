#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs a stage in the loops of another one, which then run both, what computes first standing
/// first. The outermost loops of `stage` pair with those of `other` down to `axis`, in order, value
/// for value; a loop runs the union of both ranges.
///
///   before: for i in [0, N): P(i)
///           for x in [0, M): C(x)
///   after:  for x in [0, max(N, M)): { if x < N: P(x);  if x < M: C(x) }
///
/// The loops of `other` keep their names and marks; those of `stage` that were paired are replaced
/// by them. Legal iff no dependence runs backwards or at the same time: shift the stage first where
/// it must run ahead. Throws IllegalScheduleError otherwise, ScheduleArgumentError when the stage
/// has too few loops, or one of them is marked or runs a third stage.
State fuse_with(const State& state, const std::string& stage, const std::string& other, LoopId axis,
                const SourceLoc& where);

}  // namespace solway::schedule
