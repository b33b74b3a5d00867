#include "schedule/reverse.h"

#include "schedule/rewrite_loops.h"

namespace solway::schedule {

State reverse(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  require_loop(state, stage, axis, "reverse", where);
  const std::string request = "reverse(" + loop_name(state, axis) + ")";
  State out = state;
  Loop& loop = out.order.loops.at(axis);
  loop.fused = {};
  const std::int64_t mirror = loop.begin + loop.end - 1;
  for (auto& [name, value] : loop.value) {
    value = value.neg().add_constant(static_cast<long>(mirror));
  }
  return proved(std::move(out), {"reverse", stage, {{"", axis}}, {}, where}, {request, where});
}

}  // namespace solway::schedule
