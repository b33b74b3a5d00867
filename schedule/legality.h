#pragma once

#include <cstdint>

#include "schedule/dependences.h"
#include "schedule/order.h"
#include "schedule/program_legality.h"
#include "schedule/request.h"
#include "schedule/state.h"
#include "support/isl_context.h"

/// The proofs behind the primitives. Each throws and changes nothing when the proof fails.
namespace solway::schedule {

/// Requires that no dependence of the program runs backwards, or at the same time, in the order.
/// Where only the reuse of a buffer's storage does, the program test decides on the new order.
/// Throws IllegalScheduleError with the smallest violated pair, AnalysisBudgetError when isl does
/// not decide within kOrderBudget operations, or kProgramBudget for the program test.
/// With Storage::Main, only dependences through main memory are looked at.
void require_order_legal(const State& state, const Request& request,
                         Storage storage = Storage::All);

/// Requires that no two iterations of loop `id` conflict, for loops that are marked Parallel or
/// Vectorized. Updates of one declared reduction conflict under Parallel, not under Vectorized; and
/// a vector may overwrite what its earlier lanes read, as A[i] = A[i + 1] does: every lane of one
/// statement is read before one is stored.
/// Under Parallel each core has buffers of its own: what is read there must come from the same
/// iteration. Of those in scope "shared" there is one for all: nothing fills it in such a loop.
void require_no_race(const State& state, LoopId id, const Request& request);

/// require_no_race for every marked loop.
void require_marks_legal(const State& state, const Request& request,
                         const FoundProgram* found = nullptr);

/// What is found of an order without a reason.
enum class OrderVerdict : std::uint8_t {
  Legal,
  BreaksDependence,  ///< something runs before what it depends on, whatever else runs
  Illegal            ///< storage of a buffer is used again, and that changes what is computed
};
OrderVerdict judge_order(const State& state, const Request& request);

/// Whether the order of `state` is legal, and whether its marks are, without a reason: false where
/// require_order_legal, require_no_race or require_marks_legal would throw IllegalScheduleError.
/// `found`, unless null, is the flow of the program in this order.
bool is_order_legal(const State& state, const Request& request);
bool is_mark_legal(const State& state, LoopId id, const Request& request);
bool are_marks_legal(const State& state, const Request& request,
                     const FoundProgram* found = nullptr);

}  // namespace solway::schedule
