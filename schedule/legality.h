#pragma once

#include <string>

#include "schedule/order.h"
#include "schedule/program.h"

/// The proofs behind the primitives. Each throws and changes nothing when the proof fails.
namespace solway::schedule {

/// A request as it is quoted in errors.
struct Request {
  std::string text;  ///< "reorder(i, t)"
  SourceLoc where;
};

/// Requires that no dependence of `program` runs backwards, or at the same time, in `order`.
/// Throws IllegalScheduleError with the smallest violated pair, AnalysisBudgetError when isl does
/// not decide within kOrderBudget operations.
void require_order_legal(const Program& program, const Order& order, const Request& request);

/// Requires that no two iterations of loop `id` conflict, for loops that are marked Parallel or
/// Vectorized. Updates of one declared reduction conflict under Parallel, not under Vectorized.
void require_no_race(const Program& program, const Order& order, LoopId id, const Request& request);

/// require_no_race for every marked loop of `order`.
void require_marks_legal(const Program& program, const Order& order, const Request& request);

}  // namespace solway::schedule
