#pragma once

#include <string>
#include <vector>

#include "schedule/request.h"
#include "schedule/state.h"

/// Buffers that the cores of a line of the mesh read together: see broadcast.
namespace solway::schedule {

/// The parallel loops around the transfers of a buffer that tell apart the cores sharing it,
/// outermost first: on columns for those of a row, on rows for those of a column; for all, both, or
/// the one loop over numbered cores.
std::vector<LoopId> sharing_loops(const State& state, const Buffer& buffer);

/// Requires of every buffer that is read together:
///
///   * every core of the line makes the copy in the same iterations of all other loops, so that
///     none waits for a part that nobody sends, and all take the parts in one order;
///   * the copies that they make there together move the same elements.
///
/// Throws IllegalScheduleError with two cores that differ, AnalysisBudgetError when isl does not
/// decide within kProgramBudget operations.
void require_shared_reads_legal(const State& state, const Request& request);

}  // namespace solway::schedule
