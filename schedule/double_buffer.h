#pragma once

#include <optional>
#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Lets a buffer hold two regions: while one is used, the next one arrives, or the last one leaves.
///
///   before: ko { issue AA <- A[ko]; wait AA; use AA }
///   after:  issue AA[0] <- A[0]
///           ko { if (ko + 1 < n) { issue AA[(ko + 1) mod 2] <- A[ko + 1] }
///                wait AA[ko mod 2]; use AA[ko mod 2] }
///
/// The innermost loop around the transfers counts; at each iteration of the next loop out the
/// pipeline drains, unless `across` names a loop further out: then the iterations of all loops from
/// it inward count as those of one. Throws ScheduleArgumentError for a buffer that stands outside
/// all loops, what loops_across() throws, and IllegalScheduleError when a slot would be filled
/// while it is used, or when what is loaded is not yet computed then.
State double_buffer(const State& state, const std::string& buffer, const SourceLoc& where,
                    const std::optional<LoopId>& across = {});

}  // namespace solway::schedule
