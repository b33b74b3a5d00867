#include "memory_planner/tile_levels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "memory_planner/vector_plan_cost.h"

namespace solway::memory_planner {

double tiles_of(const VectorStage& stage, const VectorPlan& plan, int loop) {
  const std::int64_t held = plan.held[static_cast<std::size_t>(loop)];
  const std::int64_t count = (steps_along(stage, plan, loop) + held - 1) / held;
  return static_cast<double>(count);
}

std::vector<TileLevel> tile_levels(const VectorStage& stage, const VectorPlan& plan) {
  const auto is_fixed = [&](int loop) {
    return stage.loops[static_cast<std::size_t>(loop)].tiling != Tiling::Free;
  };
  std::vector<TileLevel> out;
  for (const int loop : plan.outer) {
    if (is_fixed(loop)) out.push_back({loop, tiles_of(stage, plan, loop), false});
  }
  const int grouped = plan.groups.loop;
  const auto of_group = static_cast<double>(plan.groups.size);
  if (grouped >= 0) {
    out.push_back({grouped, std::ceil(tiles_of(stage, plan, grouped) / of_group), true});
  }
  for (const int loop : plan.outer) {
    if (is_fixed(loop)) continue;
    const double tiles = tiles_of(stage, plan, loop);
    out.push_back({loop, loop == grouped ? std::min(tiles, of_group) : tiles, false});
  }
  return out;
}

}  // namespace solway::memory_planner
