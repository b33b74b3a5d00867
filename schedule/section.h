#pragma once

#include <vector>

#include "schedule/state.h"

/// Parts of a schedule that can be proved one by one.
namespace solway::schedule {

/// Cuts a schedule into runs of nests that affect each other through main memory alone, and that
/// compute the same stages as a run of the stages that the user wrote, in the same order, but for
/// stages of which neither touches what the other writes:
///
///   before:  P: for ... {}    S: for ... { SS_get, S, SS_put }    B: for ... {}
///   after:   [P], [S with SS], [B]
///
/// Each is a State whose program, original and order hold its own statements and arrays only, and
/// whose Program::seen names what it writes and something else sees. Why proofs of sections are a
/// proof of the whole: what the user wrote may run in the order of the sections as well; where main
/// memory is the same before a section, equal sources within it leave all that is seen the same
/// after it; so, by induction, every value has the source that it had. What only the whole shows to
/// be right (a result that is computed in one section and was written in another) is no section of
/// its own: a cut stands where no statement as written, no buffer or other array that the user did
/// not write, and no reduction lies on both sides. One section, when there is no such place.
std::vector<State> sections_of(const State& state);

}  // namespace solway::schedule
