#include "schedule/as_written.h"

#include <algorithm>

#include "schedule/loop_paths.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

bool has_loops_of_its_axes(const Order& order, const Statement& s) {
  const std::vector<LoopId>& path = order.placement_of(s.name).path;
  if (path.size() != s.axes.size()) return false;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const Loop& loop = order.loop(path[k]);
    const isl::pw_aff axis(isl_ext::dim_on_domain(s.domain.space(), static_cast<int>(k)));
    const bool is_plain = loop.mark == LoopMark::Serial && loop.fused.fusion < 0 &&
                          loop.value.at(s.name).plain_is_equal(axis);
    if (!is_plain) return false;
  }
  return true;
}

bool accesses_as_written(const Statement& was, const Statement& is) {
  if (is.origin || !is.inlined.empty() || was.reads.size() != is.reads.size()) return false;
  for (std::size_t k = 0; k < is.reads.size(); ++k) {
    if (!is.reads[k].relation.is_equal(was.reads[k].relation)) return false;
  }
  return was.written().is_equal(is.written());
}

}  // namespace

bool has_loops_as_written(const State& state, const std::string& stage) {
  std::vector<LoopId> loops;
  for (const std::string& name : statements_of(state, stage)) {
    if (!has_loops_of_its_axes(state.order, state.program->statement(name))) return false;
    const std::vector<LoopId>& path = state.order.placement_of(name).path;
    loops.insert(loops.end(), path.begin(), path.end());
  }
  return std::none_of(state.order.placements.begin(), state.order.placements.end(),
                      [&](const Placement& p) {
                        if (state.program->statement(p.statement).stage == stage) return false;
                        return std::any_of(p.path.begin(), p.path.end(),
                                           [&](LoopId id) { return contains(loops, id); });
                      });
}

bool is_as_written(const State& state, const std::string& stage) {
  if (!has_loops_as_written(state, stage)) return false;
  const std::vector<std::string> names = statements_of(state, stage);
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto was = state.original->statements.find(name);
    return was != state.original->statements.end() &&
           accesses_as_written(was->second, state.program->statement(name));
  });
}

}  // namespace solway::schedule
