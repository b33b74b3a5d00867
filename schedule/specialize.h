#pragma once

#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::schedule {

/// The second version of a stage that specialize makes.
struct SpecializeResult {
  State state;
  dsl::Tensor rest;  ///< names the stage of what does not meet the conditions
};

/// Makes two versions of a stage's loops: one of the instances in which all conditions hold, and
/// after it one of the others. Each has loops of its own, which later primitives change alone.
///
///   before: for i.o in [0, 4): for i.i in [0, min(3, 10 - i.o*3)): S(i.o*3 + i.i)
///   after:  for i.o in [0, 3): for i.i in [0, 3): S(i.o*3 + i.i)
///           for i.o in [3, 4): for i.i in [0, 1): S(i.o*3 + i.i)
///           of the condition i.o < 3
///
/// The items of `conditions` are affine conditions on loops of the stage or on its axes. The
/// version where they hold keeps the loops; the other has copies under the same names, in the loops
/// that other stages run in as well. A statement without some of these axes, as the initialisation
/// of a reduction is for a reduction axis, stays whole in the first version. Legal iff every value
/// stays what it was.
///
/// Throws ScheduleArgumentError for a condition that is not affine, or that holds always or never,
/// and for a stage with buffers or other stages in its loops; UnsupportedError for a disjunction;
/// IllegalScheduleError and AnalysisBudgetError as require_program_legal.
SpecializeResult specialize(const State& state, const std::string& stage, const Region& conditions,
                            const SourceLoc& where);

/// The step that divided a stage, or made it as the second version; null when none did.
const Step* division_of(const State& state, const std::string& stage);

}  // namespace solway::schedule
