#pragma once

#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/state.h"

namespace solway::lowering {

/// Sets without holes around the instances of a statement, in which the values of its loops still
/// tell one instance from another, the closest first. isl does not see that they do when the domain
/// is a union of pieces and a loop was fused: it then adds loops that look for the instance.
///
///   before: { S[k, i] : i < k or k > 3 }
///   after:  { S[k, i] : 1 <= k < 6 and 0 <= i < 7 and i < 3 + k }
///           { S[k, i] : 1 <= k < 6 and 0 <= i < 7 }
std::vector<isl::set> widened_domains(const schedule::State& state, const std::string& statement);

}  // namespace solway::lowering
