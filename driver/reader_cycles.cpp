#include "driver/reader_cycles.h"

#include <algorithm>

#include "driver/divided_stage.h"
#include "driver/product_epilogue.h"

namespace solway::driver {

double reader_cycles(const schedule::State& state, const std::string& stage, const Target& target,
                     const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                     const memory_planner::Decided& decided, const SourceLoc& where) {
  const double alone = least_cycles(state, stage, target, room, plans, decided, where);
  const auto fused = product_epilogue(state, stage, target, decided);
  if (!fused) return alone;
  const auto together = plan_together(*fused, target, room, plans);
  if (!together) return alone;
  const double apart = cycles_apart(state, *fused, target, room, plans, decided);
  return alone - std::max(0.0, apart - together->cost.total());
}

}  // namespace solway::driver
