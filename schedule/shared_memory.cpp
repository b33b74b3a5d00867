#include "schedule/shared_memory.h"

#include "schedule/dependences.h"
#include "schedule/other_iterations.h"
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
      if (runs_at_once && !in_other_iterations(pairs, state, id).is_empty()) return false;
    }
    return true;
  } catch (const isl::exception_quota&) {
    return false;
  }
}

}  // namespace solway::schedule
