#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Computes a stage inside the expressions of all that read it; its loops and its tensor go.
///
///   before: for i: P[i] = A[i] * 2
///           for i: C[i] = select(i > 0, P[i - 1], 0) + P[i]
///   after:  for i: C[i] = select(i > 0, A[i - 1] * 2, 0) + A[i] * 2
///
/// Legal iff everything that the stage reads still has the same value where its readers run. Throws
/// ScheduleArgumentError for an output, a reduction, a stage that reads itself or whose tensor is
/// changed in place, one that other loops or buffers are tied to; IllegalScheduleError when a value
/// would be another.
State compute_inline(const State& state, const std::string& stage, const SourceLoc& where);

}  // namespace solway::schedule
