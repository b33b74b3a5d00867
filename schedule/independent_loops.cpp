#include "schedule/independent_loops.h"

#include "schedule/dependences.h"
#include "schedule/other_iterations.h"
#include "support/isl_context.h"

namespace solway::schedule {
namespace {

bool is_independent(const State& state, LoopId id) {
  try {
    const IslBudget budget(state.program->ctx(), kOrderBudget);
    return in_other_iterations(conflicts_of(*state.program), state, id).is_empty();
  } catch (const isl::exception_quota&) {
    return false;
  }
}

}  // namespace

std::set<LoopId> independent_loops(const State& state) {
  std::set<LoopId> out;
  for (const auto& [id, loop] : state.order.loops) {
    const bool is_asked = loop.mark == LoopMark::Vectorized || loop.mark == LoopMark::Unrolled;
    if (is_asked && is_independent(state, id)) out.insert(id);
  }
  return out;
}

}  // namespace solway::schedule
