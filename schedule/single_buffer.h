#pragma once

#include <optional>
#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Lets the one region of a buffer be on its way while nothing uses it: what is loaded is asked for
/// as soon as the last use of the tile before is over, and what is stored is waited for where the
/// region is written again.
///
///   before: yo { issue AA <- A[yo]; wait AA; C = sums(AA); BB = f(C); issue BB -> B[yo]; wait BB }
///   after:  issue AA <- A[0]
///           yo { wait AA; C = sums(AA); if (yo + 1 < n) { issue AA <- A[yo + 1] }
///                if (yo >= 1) { wait BB }; BB = f(C); issue BB -> B[yo] }
///           wait BB
///
/// The innermost loop around the transfer counts, unless `across` names a loop further out: then
/// the iterations of all loops from it inward count as those of one, as of double_buffer. Throws
/// ScheduleArgumentError for a buffer of several regions, which double_buffer made, and for one
/// that is moved once, outside all loops; what loops_across() throws; UnsupportedError for one that
/// is both loaded and stored; IllegalScheduleError where the region would be used while it is on
/// its way, or what is loaded is not computed yet.
State single_buffer(const State& state, const std::string& buffer, const SourceLoc& where,
                    const std::optional<LoopId>& across = {});

}  // namespace solway::schedule
