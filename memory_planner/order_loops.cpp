#include "memory_planner/order_loops.h"

#include <algorithm>
#include <set>

#include "memory_planner/correlate.h"

namespace solway::memory_planner {
namespace {

bool is_outer(const StageModel& stage, const Tiles& tiles, int loop) {
  const LoopModel& model = stage.loops[static_cast<std::size_t>(loop)];
  return model.tiling == Tiling::Outside || tiles[static_cast<std::size_t>(loop)] < model.extent;
}

/// Moves the pick of select_loop from `candidates` to the end of `inner`, until none is left.
void take_all(const StageModel& stage, const Tiles& tiles, std::vector<int>& candidates,
              std::vector<int>& inner) {
  while (!candidates.empty()) {
    const int loop = select_loop(stage, tiles, inner, candidates);
    inner.push_back(loop);
    candidates.erase(std::find(candidates.begin(), candidates.end(), loop));
  }
}

}  // namespace

std::int64_t transfer_count(const StageModel& stage, const Tiles& tiles,
                            const std::vector<int>& inner) {
  std::int64_t all = 1;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    all *= tile_count(stage, tiles, static_cast<int>(k));
  }
  std::int64_t count = 0;
  const std::vector<std::set<int>> sets = correlate(stage);
  for (std::size_t t = 0; t < sets.size(); ++t) {
    if (stage.tensors[t].is_local) continue;
    const std::set<int>& loops = sets[t];
    std::int64_t reuse = 1;
    for (const int loop : inner) {
      if (loops.count(loop) != 0) break;
      reuse *= tile_count(stage, tiles, loop);
    }
    count += all / reuse;
  }
  return count;
}

int select_loop(const StageModel& stage, const Tiles& tiles, const std::vector<int>& inner,
                const std::vector<int>& candidates) {
  int best = -1;
  std::int64_t fewest = 0;
  std::vector<int> trial = inner;
  trial.push_back(-1);
  for (const int loop : candidates) {
    trial.back() = loop;
    const std::int64_t count = transfer_count(stage, tiles, trial);
    if (best >= 0 && count >= fewest) continue;
    best = loop;
    fewest = count;
  }
  return best;
}

std::vector<int> order_loops(const StageModel& stage, const Tiles& tiles, ReductionPlace place) {
  std::vector<int> first;   // innermost first, so that a tie keeps the order
  std::vector<int> second;  // around all of `first`
  std::vector<int> fixed;
  for (int k = static_cast<int>(stage.loops.size()) - 1; k >= 0; --k) {
    const LoopModel& loop = stage.loops[static_cast<std::size_t>(k)];
    if (!is_outer(stage, tiles, k)) continue;
    if (loop.tiling == Tiling::Outside) {
      fixed.push_back(k);
    } else if (place == ReductionPlace::Innermost && loop.kind != dsl::AxisKind::Reduce) {
      second.push_back(k);
    } else {
      first.push_back(k);
    }
  }
  std::vector<int> order;
  take_all(stage, tiles, first, order);
  take_all(stage, tiles, second, order);
  order.insert(order.end(), fixed.begin(), fixed.end());
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace solway::memory_planner
