#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// The loop that fuse makes.
struct FuseResult {
  State state;
  LoopId fused;
};

/// Merges neighbouring loops, outermost first, into one.
///
///   before: for i in [0, m): for j in [0, n): S(i, j)
///   after:  for i.j in [0, m * n): S(floor(i.j / n), i.j mod n)
///
/// Always legal: the order of instances stays. Throws ScheduleArgumentError unless the axes are
/// neighbours in this order, of one kind (spatial or reduction).
FuseResult fuse(const State& state, const std::string& stage, const std::vector<LoopId>& axes,
                const SourceLoc& where);

}  // namespace solway::schedule
