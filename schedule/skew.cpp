#include "schedule/skew.h"

#include "schedule/rewrite_loops.h"
#include "support/error.h"

namespace solway::schedule {

State skew(const State& state, const std::string& stage, LoopId axis, LoopId by,
           std::int64_t factor, const SourceLoc& where) {
  require_loop(state, stage, axis, "skew", where);
  require_loop(state, stage, by, "skew", where);
  const std::string request = "skew(" + loop_name(state, axis) + ", by=" + loop_name(state, by) +
                              ", factor=" + std::to_string(factor) + ")";
  if (axis == by) {
    throw ScheduleArgumentError({where, request + ": a loop cannot be skewed by itself",
                                 "its value would be multiplied by " + std::to_string(factor + 1),
                                 "name another loop in by="});
  }
  if (factor == 0) {
    throw ScheduleArgumentError({where, request + ": the factor is 0",
                                 "the loop would stay as it is", "pass any other integer"});
  }
  const auto& along = state.order.loop(by).value;
  State out = state;
  Loop& loop = out.order.loops.at(axis);
  loop.fused = {};
  for (auto& [name, value] : loop.value) {
    const auto slant = along.find(name);
    if (slant != along.end()) value = value.add(slant->second.scale(static_cast<long>(factor)));
  }
  set_range(loop, out.program->domains());
  require_small_range(loop, request, where);
  return proved(std::move(out),
                {"skew", stage, {{"", axis}, {"by", by}, {"factor", factor}}, {}, where},
                {request, where});
}

}  // namespace solway::schedule
