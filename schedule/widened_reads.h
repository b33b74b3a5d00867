#pragma once

#include <isl/cpp.h>

#include "schedule/request.h"
#include "schedule/state.h"

/// Gets that may move whole units, and so elements around those that are read: see whole_units.h.
/// Nobody uses what they move beside, but it must not change while it moves.
namespace solway::schedule {

/// Whether a statement is a get that may move elements around those that it has to.
bool reads_whole_units(const Program& program, const Statement& statement);

/// { S[position] -> T[element] } of all elements of T, for those S that `read` has.
isl::map around_in_array(const Program& program, const isl::map& read);

/// Throws UnsupportedError where such a get stands in a nest in which the array that it reads is
/// written: on another core perhaps, at the same time.
void require_widened_reads_legal(const State& state, const Request& request);

}  // namespace solway::schedule
