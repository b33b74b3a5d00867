#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "schedule/state.h"

namespace solway::memory_planner {

/// A stage with loops that were divided in blocks.
struct DividedLoops {
  schedule::State state;
  std::set<schedule::LoopId> loops;  ///< over blocks, and within them: as free as those before
};

/// Splits loops of a stage at the divisors of quotients and remainders in its indices, so that what
/// a tile touches is a box of the size that it seems to have.
///
///   before: for f in range(64): .. A[f // 16 * 16 + c]     16 iterations touch 16 elements, or 32
///   after:  for f.o in range(4): for f.i in range(16): .. A[f.o * 16 + c]
///
/// nullopt where no index of the stage has one whose blocks begin with the loop and fill it.
std::optional<DividedLoops> divide_loops(const schedule::State& state, const std::string& stage,
                                         const SourceLoc& where);

}  // namespace solway::memory_planner
