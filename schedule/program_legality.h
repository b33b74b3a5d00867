#pragma once

#include "schedule/flow.h"
#include "schedule/program.h"
#include "schedule/program_breach.h"
#include "schedule/request.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// Requires that `program`, in its own `reference` order, computes what `original` computes, whose
/// statements keep their names, domains and bodies in it: every value comes from the same instance
/// through copies that are complete before it is used, every declared reduction adds the same
/// terms, and every access lies within its array.
/// Throws IllegalScheduleError with the smallest wrong pair, AnalysisBudgetError when isl does not
/// decide within `budget` operations. What was found is left in `found` unless that is null.
struct FoundProgram {
  ElementProgram elements;
  FoundFlow flow;
};
void require_program_legal(const Program& original, const Program& program, const Request& request,
                           unsigned long budget = kProgramBudget, FoundProgram* found = nullptr);

/// The same without a reason: whether it computes the same.
bool is_program_legal(const Program& original, const Program& program, const Request& request,
                      unsigned long budget = kProgramBudget, FoundProgram* found = nullptr);

}  // namespace solway::schedule
