#pragma once

#include <map>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/request.h"
#include "schedule/state.h"

/// What the primitives that change the order have in common.
namespace solway::schedule {

/// Puts loops `by` where the neighbours `loops` stand, in every path and among the loops of every
/// stage that has all of them: a loop may run several stages.
void replace_in_paths(State& state, const std::vector<LoopId>& loops,
                      const std::vector<LoopId>& by);

/// Sets begin and end of a loop to the smallest range that holds its values in all instances; an
/// empty range at 0 when there is no instance. `domains` are { S[iteration] } by statement.
void set_range(Loop& loop, const std::map<std::string, isl::set>& domains);

/// Throws ScheduleArgumentError when the values of a loop are so large that a few operations on
/// them might leave 64-bit integers.
void require_small_range(const Loop& loop, const std::string& request, const SourceLoc& where);

/// Throws ScheduleArgumentError when `loop` is marked: a marked loop stays as it is.
void require_serial(const Loop& loop, const std::string& request, const std::string& fix,
                    const SourceLoc& where);

/// Proves the order of `state` and all its marks, and adds `step` to the log. Throws
/// ScheduleArgumentError when a loop was moved across a transfer, IllegalScheduleError and
/// AnalysisBudgetError as require_order_legal and require_marks_legal.
State proved(State state, Step step, const Request& request);

}  // namespace solway::schedule
