#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs the iterations of a loop on a hardware dimension: "core" is parallel; "row" and "column"
/// are those of a mesh of cores. Which ones there are is known with the target, at build.
///
///   before: for i: S(i)
///   after:  for i parallel on "row": S(i)
///
/// Legal as parallel.
State bind(const State& state, const std::string& stage, LoopId axis, const std::string& hardware,
           const SourceLoc& where);

}  // namespace solway::schedule
