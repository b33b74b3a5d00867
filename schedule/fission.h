#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// The loops that fission makes, in textual order.
struct FissionResult {
  State state;
  std::vector<LoopId> loops;
};

/// Gives each statement inside a loop a loop of its own; the inverse of fuse_with. Statements that
/// share a buffer, and its transfers, stay in one loop.
///
///   before: for i: { S(i); for k: T(i, k) }
///   after:  for i.0: S(i.0);  for i.1: for k: T(i.1, k)
///
/// Loops further in stay what they are: copies that primitives treat as one, until they are
/// fissioned too. A loop that runs one statement stays as it is. Legal iff no dependence runs
/// backwards or at the same time. Throws IllegalScheduleError otherwise.
FissionResult fission(const State& state, const std::string& stage, LoopId axis,
                      const SourceLoc& where);

}  // namespace solway::schedule
