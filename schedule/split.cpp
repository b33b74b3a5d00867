#include "schedule/split.h"

#include <algorithm>

#include "schedule/rewrite_loops.h"
#include "support/error.h"

namespace solway::schedule {

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
  require_serial(loop, request, "split first, then mark one of the two loops", where);
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
  replace_in_paths(out.state, {axis}, {out.outer, out.inner});
  replace_loop(out.state, axis, request, where, {out.outer, out.inner});
  out.state =
      proved(std::move(out.state),
             {"split", stage, {{"", axis}, {"factor", factor}}, {out.outer, out.inner}, where},
             {request, where});
  return out;
}

}  // namespace solway::schedule
