#pragma once

#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Whether array `output` may be the very memory of array `input`: every element is read as `input`
/// before it is stored as `output`, or by the instance that stores it, in the order of `state`, and
/// no iterations of a parallel or vectorized loop share one. False where isl does not decide.
///
///   B[i] = A[i] * 2                 may
///   B[i] = A[n - 1 - i]             may not
bool may_share_memory(const State& state, const std::string& output, const std::string& input);

}  // namespace solway::schedule
