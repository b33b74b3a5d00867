#include "schedule/shift.h"

#include "schedule/rewrite_loops.h"

namespace solway::schedule {

State shift(const State& state, const std::string& stage, LoopId axis, std::int64_t distance,
            const SourceLoc& where) {
  require_loop(state, stage, axis, "shift", where);
  const std::string request =
      "shift(" + loop_name(state, axis) + ", " + std::to_string(distance) + ")";
  State out = state;
  Loop& loop = out.order.loops.at(axis);
  for (std::int64_t* bound : {&loop.begin, &loop.end}) {
    if (__builtin_add_overflow(*bound, distance, bound)) {
      *bound = distance > 0 ? INT64_MAX : INT64_MIN;
    }
  }
  require_small_range(loop, request, where);
  loop.fused.origin += distance;
  for (auto& [name, value] : loop.value) value = value.add_constant(static_cast<long>(distance));
  return proved(std::move(out), {"shift", stage, {{"", axis}, {"", distance}}, {}, where},
                {request, where});
}

}  // namespace solway::schedule
