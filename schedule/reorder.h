#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Permutes loops of one stage: the named axes take the places that they hold together, in the
/// order given; the others keep their place. The initialisation of a reduction stays immediately
/// before the outermost of its reduction loops. Loops that run several stages move for all of them.
///
///   before: for i: for j: for k: S(i, j, k)
///   after:  for k: for j: for i: S(i, j, k)        reorder(k, i)
///
/// Legal iff no dependence runs backwards or at the same time in the new order. Throws
/// IllegalScheduleError otherwise, ScheduleArgumentError for an axis named twice.
State reorder(const State& state, const std::string& stage, const std::vector<LoopId>& axes,
              const SourceLoc& where);

}  // namespace solway::schedule
