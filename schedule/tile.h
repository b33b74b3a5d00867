#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// The loops that tile makes, outermost first.
struct TileResult {
  State state;
  LoopId io;
  LoopId jo;
  LoopId ii;
  LoopId ji;
};

/// Splits two loops and brings the outer halves outside.
///
///   before: for i: for j: S(i, j)
///   after:  for i.o: for j.o: for i.i in [0, ti): for j.i in [0, tj): S(i, j)
///
/// In the log it is two splits and a reorder. Throws as they do.
TileResult tile(const State& state, const std::string& stage, LoopId i, LoopId j, std::int64_t ti,
                std::int64_t tj, const SourceLoc& where);

}  // namespace solway::schedule
