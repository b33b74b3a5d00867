#pragma once

#include <optional>
#include <string>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Loops of a stage that run along neighbours, and go on where the one inside ends, as one: short
/// rows fill few lanes, and sums of them combine their lanes often.
///
///   C[c] = sum over r, q of X[c, r, q]     7 x 7: one loop of 49 terms
///
/// Of reductions, and of results that nothing is summed up in. nullopt: there are none, or rows are
/// long.
std::optional<schedule::State> fuse_neighbours(const schedule::State& state,
                                               const std::string& stage, const Target& target,
                                               const SourceLoc& where);

}  // namespace solway::driver
