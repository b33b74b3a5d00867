#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs the iterations of a loop on different cores. It stays one loop; core `id` runs
/// begin <= axis < end with chunk = ceil(extent / cores), begin = min(id * chunk, extent),
/// end = min(begin + chunk, extent).
///
///   before: for i: S(i)
///   after:  for i parallel: S(i)
///
/// Legal iff no two iterations conflict. Throws IllegalScheduleError otherwise, UnsupportedError
/// for a reduction axis.
///
/// Source: swTVM, Figure 4.
State parallel(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

/// Runs the iterations of a loop in the lanes of vectors, strip-mined at lowering.
///
///   before: for i: S(i)
///   after:  for i vectorized: S(i)
///
/// Legal iff no two iterations conflict; updates of one declared reduction may.
State vectorize(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

/// Writes out the iterations of a loop one after the other.
///
///   before: for i in [0, 2): S(i)
///   after:  S(0); S(1)
///
/// Always legal: the order stays.
State unroll(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

}  // namespace solway::schedule
