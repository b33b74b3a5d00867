#pragma once

#include <vector>

#include "dsl/expr.h"
#include "schedule/state.h"

namespace solway::schedule {

/// States conditions on sizes that only the caller can know. They hold in what was written and in
/// what is scheduled, in the bounds of the loops and in the code, and every call checks them.
///
///   before: for i.o in [0, (n + 15) // 16): for i.i in [0, min(16, n - i.o*16)): S(i.o*16 + i.i)
///   after:  for i.o in [0, n // 16): for i.i in [0, 16): S(i.o*16 + i.i)
///   of the condition n % 16 == 0
///
/// Conditions are comparisons of expressions that are affine in sizes, with `%` and `//` by
/// constants, and what and, or and not make of them. One that holds anyway is kept as an Assumption
/// without effect. Primitives that were proved before stay proved: what was true of all sizes is
/// true of fewer.
///
/// Throws ScheduleArgumentError for what is no condition on sizes of this schedule and for one that
/// never holds; UnsupportedError for one that is not affine; AnalysisBudgetError.
State assume(const State& state, const std::vector<dsl::Expr>& conditions, const SourceLoc& where);

}  // namespace solway::schedule
