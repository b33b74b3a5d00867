#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// The loops that split makes.
struct SplitResult {
  State state;
  LoopId outer;
  LoopId inner;
};

/// The strategy of that name. Throws ScheduleArgumentError for another than "guard", "cut", "mask".
TailStrategy tail_named(const std::string& name, const SourceLoc& where);

/// Strip-mines a loop: `outer` counts blocks of `factor` iterations, `inner` runs inside one.
///
///   before: for i in [b, e): S(i)
///   after:  for i.o in [0, ceil((e - b) / factor)): for i.i in [0, factor): S(i)
///           with i.o = floor((i - b) / factor), i.i = (i - b) mod factor
///
/// Always legal: the order of instances stays. `tail` says what becomes of the last block of an
/// extent that is not a multiple of `factor`; with TailStrategy::Cut, for an extent of 10 by 4:
///
///   after:  for i.o in [0, 2): for i.i in [0, 4): S(i)
///           for i.i in [0, 2): S(8 + i.i)
///
/// Where the extent is a size, it is cut at the last whole block of the value that a call gives.
/// Throws ScheduleArgumentError for a factor below 1.
SplitResult split(const State& state, const std::string& stage, LoopId axis, std::int64_t factor,
                  const SourceLoc& where, TailStrategy tail = TailStrategy::Guard);

/// The factor by which split makes `parts` blocks of a loop of constant extent:
/// ceil(extent / parts). Throws ScheduleArgumentError for no parts, UnsupportedError for an extent
/// that depends on sizes.
std::int64_t factor_of_parts(const State& state, LoopId axis, std::int64_t parts,
                             const SourceLoc& where);

}  // namespace solway::schedule
