#include "dma/insertion.h"

#include <algorithm>
#include <set>
#include <vector>

#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_context.h"
#include "support/target.h"

namespace solway::dma {
namespace {

using schedule::LoopId;
using schedule::LoopMark;
using schedule::State;

/// The loops around the deepest of the accesses, outermost first.
std::vector<LoopId> deepest_path(const State& state,
                                 const std::vector<schedule::Access>& accesses) {
  std::vector<LoopId> out;
  for (const schedule::Access& access : accesses) {
    const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
    if (path.size() > out.size()) out = path;
  }
  return out;
}

/// The loops outside `varying` on which the accesses depend.
std::set<LoopId> fixed_loops(const State& state, const std::vector<schedule::Access>& accesses,
                             const std::set<LoopId>& varying) {
  const IslBudget budget(state.program->ctx(), kOrderBudget);
  std::set<LoopId> out;
  for (const std::set<LoopId>& loops : schedule::dependent_loops(state, accesses)) {
    for (const LoopId id : loops) {
      if (varying.count(id) == 0) out.insert(id);
    }
  }
  return out;
}

}  // namespace

LoopId position_of(const State& state, const std::string& stage, const std::string& tensor,
                   schedule::AccessKind kind, const schedule::Region& region,
                   const std::string& request, const SourceLoc& where,
                   const schedule::ReferenceNumbers& references, const std::string& scope) {
  const std::vector<schedule::Access> accesses =
      schedule::accesses_of(state, stage, tensor, kind, references);
  std::set<LoopId> varying;
  for (const schedule::RegionItem& item : region) varying.merge(schedule::loops_of(item));
  std::set<LoopId> fixed;
  try {
    fixed = fixed_loops(state, accesses, varying);
  } catch (const isl::exception_quota&) {
    throw schedule::undecided({request, where}, kOrderBudget);
  }
  const std::vector<LoopId> path = deepest_path(state, accesses);
  std::size_t depth = 0;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const bool is_parallel =
        scope != kSharedScope && state.order.loop(path[k]).mark == LoopMark::Parallel;
    if (fixed.count(path[k]) != 0 || is_parallel) depth = k + 1;
  }
  for (std::size_t k = 0; k < depth; ++k) {
    if (varying.count(path[k]) == 0) continue;
    const std::string& loop = schedule::loop_name(state, path[k]);
    const std::string& inner = schedule::loop_name(state, path[depth - 1]);
    const bool is_parallel = fixed.count(path[depth - 1]) == 0;
    throw ScheduleArgumentError(
        {where, request + ": '" + loop + "' does not lie inside the buffer",
         is_parallel ? "each core has its own buffer, so it stands inside the parallel loop '" +
                           inner + "', and '" + loop + "' is " +
                           (loop == inner ? "that loop" : "not inside of that")
                     : "what it holds of '" + tensor + "' depends on '" + inner +
                           "', so it stands inside that loop, and '" + loop + "' is outside of it",
         loop == inner ? "leave '" + loop + "' out of the region, or make another loop parallel"
                       : "reorder '" + loop + "' inside '" + inner +
                             "' first, or leave it out of the region"});
  }
  return depth == 0 ? -1 : path[depth - 1];
}

}  // namespace solway::dma
