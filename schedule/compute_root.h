#pragma once

#include <string>

#include "schedule/request.h"
#include "schedule/state.h"

namespace solway::schedule {

/// Takes a stage out of the loops in which compute_at placed it: all of its tensor is computed once
/// again, as it was written, directly before the nest that reads it.
///
///   before: for t: { for i: P[i] = A[32*t + i]; for j: C[32*t + j] = P[j] + P[j + 2] }
///   after:  for i: P[i] = A[i]
///           for t: for j: C[32*t + j] = P[32*t + j] + P[32*t + j + 2]
///
/// Without effect on a stage that compute_at did not place. Throws ScheduleArgumentError for a
/// stage that is inlined, or in whose loops others were placed since; IllegalScheduleError when a
/// value would be another.
State compute_root(const State& state, const std::string& stage, const SourceLoc& where);

/// Whether compute_at placed the stage in loops of another.
bool is_placed(const State& state, const std::string& stage);

/// compute_root without a step in the log.
State moved_to_root(const State& state, const std::string& stage, const Request& request);

}  // namespace solway::schedule
