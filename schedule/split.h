#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// The loops that split makes.
struct SplitResult {
  State state;
  LoopId outer;
  LoopId inner;
};

/// Strip-mines a loop: `outer` counts blocks of `factor` iterations, `inner` runs inside one.
///
///   before: for i in [b, e): S(i)
///   after:  for i.o in [0, ceil((e - b) / factor)): for i.i in [0, factor): S(i)
///           with i.o = floor((i - b) / factor), i.i = (i - b) mod factor
///
/// Always legal: the order of instances stays. The last block of an extent that is not a multiple
/// of `factor` is guarded. Throws ScheduleArgumentError for a factor below 1.
SplitResult split(const State& state, const std::string& stage, LoopId axis, std::int64_t factor,
                  const SourceLoc& where);

}  // namespace solway::schedule
