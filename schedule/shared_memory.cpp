#include "schedule/shared_memory.h"

#include "schedule/dependences.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// { S[iteration] -> [element] } of the accesses to one array, without its name.
isl::union_map to_array(const isl::union_map& accesses, const std::string& array) {
  isl::union_map out = isl::union_map::empty(accesses.ctx());
  for (const isl::map& access : isl_ext::sorted_maps(accesses)) {
    if (isl_ext::tuple_name(access, isl_ext::Dim::Range) != array) continue;
    out = out.unite(isl_ext::with_tuple_name(access, isl_ext::Dim::Range, "").to_union_map());
  }
  return out;
}

/// { reader -> writer } in different iterations of a loop that runs them at the same time.
isl::union_map at_once(const State& state, LoopId id, const isl::union_map& pairs) {
  const isl::ctx ctx = state.program->ctx();
  const auto domains = state.program->domains();
  const isl::union_map outer = prefix_of(ctx, state.order, id, LastValue::Drop, domains);
  const isl::union_map inner = prefix_of(ctx, state.order, id, LastValue::Keep, domains);
  return pairs.intersect(
      outer.apply_range(outer.reverse()).subtract(inner.apply_range(inner.reverse())));
}

}  // namespace

bool may_share_memory(const State& state, const std::string& output, const std::string& input) {
  const Program& program = *state.program;
  try {
    const IslBudget budget(program.ctx(), kOrderBudget);
    const isl::union_map writes = to_array(writes_of(program, Storage::Main), output);
    const isl::union_map reads = to_array(reads_of(program, Storage::Main), input);
    const isl::union_map pairs = reads.apply_range(writes.reverse());
    const isl::union_map time = time_of(program.ctx(), state.order, program.domains());
    const isl::union_map late = not_in_order(pairs, time);
    if (!late.subtract(late.domain().identity()).is_empty()) return false;
    for (const auto& [id, loop] : state.order.loops) {
      const bool runs_at_once =
          loop.mark == LoopMark::Parallel || loop.mark == LoopMark::Vectorized;
      if (runs_at_once && !at_once(state, id, pairs).is_empty()) return false;
    }
    return true;
  } catch (const isl::exception_quota&) {
    return false;
  }
}

}  // namespace solway::schedule
