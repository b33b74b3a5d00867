#pragma once

#include <isl/cpp.h>

#include "schedule/state.h"

namespace solway::lowering {

/// Makes separate nests of the whole blocks of each split with TailStrategy::Cut and of what is
/// left: the outermost loop that decides which of the two runs is cut there. A loop that is marked
/// stays one loop, and the next one inside is cut.
///
///   before: for io in [0, 3) { for ii in [0, min(4, 10 - 4 * io)) { S(4 * io + ii) } }
///   after:  for io in [0, 2) { for ii in [0, 4) { S(4 * io + ii) } }
///           for ii in [0, 2) { S(8 + ii) }
///
/// `tree` is the schedule tree of `state`; the result, with isl's `isolate` options, is only for
/// the generation of an AST.
isl::schedule cut_tails(const schedule::State& state, const isl::schedule& tree);

}  // namespace solway::lowering
