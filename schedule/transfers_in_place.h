#pragma once

#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Throws ScheduleArgumentError when the loops outside a transfer of `state` are no longer those
/// around the statements that use its buffer: "AA is loaded between yo and yi: reorder first".
void require_transfers_in_place(const State& state, const std::string& request,
                                const SourceLoc& where);

/// Throws ScheduleArgumentError when a transfer stands inside `outer` but outside `inner`.
void require_no_transfer_between(const State& state, LoopId outer, LoopId inner,
                                 const std::string& request, const SourceLoc& where);

}  // namespace solway::schedule
