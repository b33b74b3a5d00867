#include "schedule/other_iterations.h"

namespace solway::schedule {

isl::union_map other_iterations(const State& state, LoopId id) {
  const isl::ctx ctx = state.program->ctx();
  const auto domains = state.program->domains();
  const isl::union_map outer = prefix_of(ctx, state.order, id, LastValue::Drop, domains);
  const isl::union_map inner = prefix_of(ctx, state.order, id, LastValue::Keep, domains);
  return outer.apply_range(outer.reverse()).subtract(inner.apply_range(inner.reverse()));
}

}  // namespace solway::schedule
