#include "schedule/split.h"

#include <algorithm>

#include "schedule/legality.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// Puts `outer`, `inner` where `axis` stands.
void replace_in(std::vector<LoopId>& path, LoopId axis, LoopId outer, LoopId inner) {
  const auto at = std::find(path.begin(), path.end(), axis);
  if (at == path.end()) return;
  *at = inner;
  path.insert(at, outer);
}

}  // namespace

SplitResult split(const State& state, const std::string& stage, LoopId axis, std::int64_t factor,
                  const SourceLoc& where) {
  const std::string request =
      "split(" + (state.order.loops.count(axis) != 0 ? loop_name(state, axis) : "axis") +
      ", factor=" + std::to_string(factor) + ")";
  require_loop(state, stage, axis, request, where);
  if (factor < 1) {
    throw ScheduleArgumentError({where, request + ": the factor is not positive",
                                 "a block of " + std::to_string(factor) + " iterations is empty",
                                 "pass a factor of at least 1"});
  }
  const Loop& loop = state.order.loop(axis);
  if (loop.mark != LoopMark::Serial) {
    throw ScheduleArgumentError({where, request + ": '" + loop.name + "' is already marked",
                                 "a marked loop stays one loop",
                                 "split first, then mark one of the two loops"});
  }
  Loop outer;
  outer.name = loop.name + ".o";
  outer.kind = loop.kind;
  outer.begin = 0;
  outer.end = (loop.extent() + factor - 1) / factor;
  outer.where = where;
  Loop inner = outer;
  inner.name = loop.name + ".i";
  inner.end = std::min(factor, loop.extent());
  for (const auto& [name, value] : loop.value) {
    const isl::pw_aff from_zero = value.add_constant(-static_cast<long>(loop.begin));
    outer.value.emplace(name, from_zero.scale_down(static_cast<long>(factor)).floor());
    inner.value.emplace(name, from_zero.mod(static_cast<long>(factor)));
  }
  SplitResult out{state, 0, 0};
  out.outer = out.state.order.add(std::move(outer));
  out.inner = out.state.order.add(std::move(inner));
  for (Placement& p : out.state.order.placements) {
    replace_in(p.path, axis, out.outer, out.inner);
  }
  replace_in(out.state.stage_loops.at(stage), axis, out.outer, out.inner);
  replace_loop(out.state, axis, request, where, {out.outer, out.inner});
  require_order_legal(out.state, {request, where});
  out.state.log.push_back(
      {"split", stage, {{"", axis}, {"factor", factor}}, {out.outer, out.inner}, where});
  return out;
}

}  // namespace solway::schedule
