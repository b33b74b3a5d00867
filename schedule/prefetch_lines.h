#pragma once

#include <optional>
#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Asks the caches for what iteration t + distance of a loop reads of a tensor while iteration t
/// runs: beside each read, the line that is `distance` iterations further on.
///
///   before: for k { C += A[i, k] * W[k, j] }
///   after:  for k { C += A[i, k] * W[k, j]; prefetch W[k + distance, j] }
///
/// With `inside`, a loop in that one, the requests are spread over its iterations: each asks for an
/// equal share of all that iteration t + distance reads, past the end of the loop that of the next
/// iteration of the loop around it. Copies and operands that come in order at one place of an
/// iteration arrive while the rest of the one before runs.
///
///   before: for x { XX <- X[x, :]; for f { C += XX[k] * W[f, k] } }
///   after:  for x { XX <- X[x, :]; for f { prefetch a share of X[x + distance, :]; C += ... } }
///
/// Always legal: nothing is read, and addresses outside of the tensor are allowed. For machines
/// with caches; where data moves by requests, `prefetch` asks for a buffer early. Throws
/// ScheduleArgumentError for a stage that does not read the tensor, a loop that is none of its own,
/// a distance below 1, a loop `inside` that does not run in the first one, and a second request for
/// the same tensor in the same loop.
State prefetch_lines(const State& state, const std::string& stage, const std::string& tensor,
                     LoopId at, std::int64_t distance, std::optional<LoopId> inside,
                     const SourceLoc& where);

}  // namespace solway::schedule
