#pragma once

#include <string>

#include "schedule/state.h"

namespace solway::schedule {

/// Lets the cores of a row, a column or the whole mesh read a buffer together: each of them reads a
/// part of the region from main memory, and passes it on to the others.
///
///   before: yo on rows { xo on columns { ko { issue AA <- A[yo, ko]; wait AA; use AA } } }
///   after:  the same loops; of each AA a core reads an eighth, and has seven from its row
///
/// The buffer stays that of its core: what is in it, and when, does not change. All cores of a line
/// make the copy together, which require_shared_reads_legal proves, now and after later primitives.
/// Throws ScheduleArgumentError for a buffer that is not loaded, or where no loop tells the cores
/// of a line apart; UnsupportedError for panels and for loops whose extent depends on sizes;
/// IllegalScheduleError as require_shared_reads_legal.
State broadcast(const State& state, const std::string& buffer, SharedBy over,
                const SourceLoc& where);

/// "row", "column", "all"; "core" for none.
std::string to_string(SharedBy shared);

}  // namespace solway::schedule
