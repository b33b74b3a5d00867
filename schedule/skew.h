#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Slants a loop along another one. It keeps its name; in what it runs, its value v becomes
/// v + factor * by.
///
///   before: for t in [0, T): for i in [0, N): S(t, i)
///   after:  for t in [0, T): for i in [factor * t, factor * t + N): S(t, i - factor * t)
///
/// What runs in the loop but not in `by`, as the initialisation of a reduction does, keeps its
/// value. Where `by` lies outside, the order of instances stays; reorder can then bring the skewed
/// loop outside. Legal iff no dependence runs backwards or at the same time. Throws
/// IllegalScheduleError otherwise, ScheduleArgumentError for a factor of 0 and for `by` = `axis`.
State skew(const State& state, const std::string& stage, LoopId axis, LoopId by,
           std::int64_t factor, const SourceLoc& where);

}  // namespace solway::schedule
