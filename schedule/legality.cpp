#include "schedule/legality.h"

#include <algorithm>

#include "schedule/dependences.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

[[noreturn]] void throw_undecided(const Request& request, unsigned long budget) {
  throw AnalysisBudgetError(
      {request.where, request.text + " is not decided",
       "the exact analysis did not finish within " + std::to_string(budget) +
           " isl operations; this says neither that it is legal nor that it is illegal",
       "apply fewer or simpler primitives before it"});
}

}  // namespace

void require_order_legal(const State& state, const Request& request) {
  const Program& program = *state.program;
  const isl::union_map time = time_of(program.ctx(), state.order, program.domains());
  isl::union_map violated;
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const isl::union_map needed = dependences_of(program);
    if (needed.is_empty()) return;
    violated = needed.intersect(isl_ext::lex_ge(time, time));
    if (violated.is_empty()) return;
  } catch (const isl::exception_quota&) {
    throw_undecided(request, kOrderBudget);
  }
  throw order_violation(program, violated, request);
}

void require_no_race(const State& state, LoopId id, const Request& request) {
  const Program& program = *state.program;
  const Order& order = state.order;
  const Loop& loop = order.loop(id);
  const auto domains = program.domains();
  const isl::union_map outer = prefix_of(program.ctx(), order, id, LastValue::Drop, domains);
  const isl::union_map inner = prefix_of(program.ctx(), order, id, LastValue::Keep, domains);
  isl::union_map crossing;
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const isl::union_map other_iterations =
        outer.apply_range(outer.reverse()).subtract(inner.apply_range(inner.reverse()));
    const isl::union_map forward = isl_ext::lex_lt(program.reference, program.reference);
    crossing = conflicts_of(program).intersect(other_iterations).intersect(forward);
    if (loop.mark == LoopMark::Vectorized) {
      crossing = crossing.subtract(reorderable_pairs_of(program));
    }
    if (crossing.is_empty()) return;
  } catch (const isl::exception_quota&) {
    throw_undecided(request, kOrderBudget);
  }
  throw race_violation(program, crossing, loop.name, request);
}

void require_marks_legal(const State& state, const Request& request) {
  for (const auto& [id, loop] : state.order.loops) {
    if (loop.mark == LoopMark::Parallel || loop.mark == LoopMark::Vectorized) {
      require_no_race(state, id, request);
    }
  }
}

}  // namespace solway::schedule
