#include "schedule/other_iterations.h"

namespace solway::schedule {

isl::union_map in_other_iterations(const isl::union_map& pairs, const State& state, LoopId id) {
  const isl::ctx ctx = state.program->ctx();
  const auto domains = state.program->domains();
  const isl::union_map outer = prefix_of(ctx, state.order, id, LastValue::Drop, domains);
  const isl::union_map inner = prefix_of(ctx, state.order, id, LastValue::Keep, domains);
  isl::union_map out = isl::union_map::empty(ctx);
  // All pairs of iterations of all statements would be many.
  pairs.foreach_map([&](const isl::map& one) {
    const isl::union_set from = isl::set::universe(one.space().domain()).to_union_set();
    const isl::union_set to = isl::set::universe(one.space().range()).to_union_set();
    const auto in_one_iteration = [&](const isl::union_map& prefix) {
      return prefix.intersect_domain(from).apply_range(prefix.intersect_domain(to).reverse());
    };
    out = out.unite(
        one.to_union_map().intersect(in_one_iteration(outer)).subtract(in_one_iteration(inner)));
  });
  return out;
}

}  // namespace solway::schedule
