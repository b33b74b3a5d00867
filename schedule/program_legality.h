#pragma once

#include "schedule/program.h"
#include "schedule/request.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// Requires that `program`, in its own `reference` order, computes what `original` computes, whose
/// statements keep their names, domains and bodies in it: every value comes from the same instance
/// through copies that are complete before it is used, every declared reduction adds the same
/// terms, and every access lies within its array.
/// Throws IllegalScheduleError with the smallest wrong pair, AnalysisBudgetError when isl does not
/// decide within `budget` operations.
void require_program_legal(const Program& original, const Program& program, const Request& request,
                           unsigned long budget = kProgramBudget);

}  // namespace solway::schedule
