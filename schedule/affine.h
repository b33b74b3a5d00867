#pragma once

#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::schedule {

/// The loops that affine makes, outermost first.
struct AffineResult {
  State state;
  std::vector<LoopId> loops;
};

/// Replaces loops of a stage by affine functions of them. `map` is an isl map whose inputs are the
/// names of loops ('_' may stand for '.'), for example "{ [i, j] -> [i + j, j] }"; the new loops
/// take the places of the old ones, outermost first.
///
///   before: for i in [0, N): for j in [0, M): S(i, j)
///   after:  for d in [0, N + M - 1): for j in [max(0, d - N + 1), min(M, d + 1)): S(d - j, j)
///
/// `names` are those of the new loops; by default a loop that is one of the old ones keeps its name
/// and the others take over the names that are left. What lacks some of the loops, as the
/// initialisation of a reduction does, counts them as 0 and stands in those new loops that depend
/// on the loops that it has.
///
/// Throws ScheduleArgumentError for a text that is no such map, and unless the map has one value,
/// its own, for every iteration; IllegalScheduleError when a dependence would run backwards.
AffineResult affine(const State& state, const std::string& stage, const std::string& map,
                    const std::vector<std::string>& names, const SourceLoc& where);

}  // namespace solway::schedule
