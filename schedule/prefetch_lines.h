#pragma once

#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Asks the caches for what iteration t + distance of a loop reads of a tensor while iteration t
/// runs: beside each read, the line that is `distance` iterations further on.
///
///   before: for k { C += A[i, k] * W[k, j] }
///   after:  for k { C += A[i, k] * W[k, j]; prefetch W[k + distance, j] }
///
/// Always legal: nothing is read, and addresses outside of the tensor are allowed. For machines
/// with caches; where data moves by requests, `prefetch` asks for a buffer early. Throws
/// ScheduleArgumentError for a stage that does not read the tensor, a loop that is none of its own,
/// a distance below 1, and a second request for the same tensor in the same loop.
State prefetch_lines(const State& state, const std::string& stage, const std::string& tensor,
                     LoopId at, std::int64_t distance, const SourceLoc& where);

}  // namespace solway::schedule
