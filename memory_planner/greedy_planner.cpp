#include "memory_planner/greedy_planner.h"

#include <algorithm>
#include <set>

#include "memory_planner/correlate.h"
#include "memory_planner/order_loops.h"

namespace solway::memory_planner {
namespace {

bool contains(const std::vector<int>& loops, int loop) {
  return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// The spatial loops by the dimension of the written tensor that they index, the highest first.
std::vector<int> spatial_loops(const StageModel& stage) {
  std::vector<int> out;
  for (const TensorModel& tensor : stage.tensors) {
    if (tensor.direction != AccessDirection::Write || tensor.is_local) continue;
    for (const DimModel& dim : tensor.dims) {
      for (const IndexTerm& term : dim.terms) {
        const bool is_spatial = stage.loops[index(term.loop)].kind == dsl::AxisKind::Spatial;
        if (is_spatial && !contains(out, term.loop)) out.push_back(term.loop);
      }
    }
  }
  return out;
}

/// The loop of `candidates` with the most tiles, no more than `cores` counting; the highest
/// dimension of a tie; -1 when none has several.
int most_tiles(const StageModel& stage, const Tiles& tiles, const std::vector<int>& candidates,
               int cores) {
  int best = -1;
  std::int64_t most = 1;
  for (const int loop : candidates) {
    if (stage.loops[index(loop)].tiling == Tiling::Inside) continue;
    const std::int64_t count = std::min<std::int64_t>(cores, tile_count(stage, tiles, loop));
    if (count <= most) continue;
    best = loop;
    most = count;
  }
  return best;
}

std::int64_t cores_in_use(const StageModel& stage, const Tiles& tiles, int cores) {
  const int loop = most_tiles(stage, tiles, spatial_loops(stage), cores);
  return loop < 0 ? 1 : std::min<std::int64_t>(cores, tile_count(stage, tiles, loop));
}

/// The stage as one core sees it: the longest loop of `candidates` runs one part of its range.
StageModel cut_for_cores(const StageModel& stage, const std::vector<int>& candidates, int cores) {
  StageModel out = stage;
  const int loop = most_tiles(stage, smallest_tiles(stage), candidates, cores);
  if (loop < 0 || stage.loops[index(loop)].tiling != Tiling::Free) return out;
  std::int64_t& extent = out.loops[index(loop)].extent;
  extent = (extent + cores - 1) / cores;
  return out;
}

/// Spatial loops on which every tensor depends: no tensor is reused over their iterations.
std::vector<int> loops_without_reuse(const StageModel& stage) {
  const auto sets = correlate(stage);
  std::vector<int> out;
  for (const int loop : spatial_loops(stage)) {
    const bool all = std::all_of(sets.begin(), sets.end(),
                                 [&](const std::set<int>& s) { return s.count(loop) != 0; });
    if (all) out.push_back(loop);
  }
  return out;
}

TileChoice choose_for_cores(const StageModel& stage, const Room& room, int cores) {
  TileChoice choice = choose_tiles(stage, room);
  if (cores <= 1) return choice;
  const std::int64_t in_use = cores_in_use(stage, choice.tiles, cores);
  if (in_use == cores) return choice;
  TileChoice cut = choose_tiles(cut_for_cores(stage, loops_without_reuse(stage), cores), room);
  if (cores_in_use(stage, cut.tiles, cores) > in_use) return cut;
  if (in_use > 1) return choice;
  return choose_tiles(cut_for_cores(stage, spatial_loops(stage), cores), room);
}

}  // namespace

std::int64_t moved_bytes(const StageModel& stage, const Tiles& tiles,
                         const std::vector<int>& order) {
  const auto sets = correlate(stage);
  std::int64_t bytes = 0;
  for (std::size_t t = 0; t < stage.tensors.size(); ++t) {
    if (stage.tensors[t].is_local) continue;
    std::int64_t transfers = 1;
    bool is_inside = true;  // of all loops that the tensor depends on, from the innermost outwards
    bool is_partial = false;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const bool depends = sets[t].count(*at) != 0;
      if (depends) is_inside = false;
      if (is_inside) continue;
      transfers *= tile_count(stage, tiles, *at);
      if (!depends && stage.loops[index(*at)].kind == dsl::AxisKind::Reduce) is_partial = true;
    }
    const bool is_output = stage.tensors[t].direction == AccessDirection::Write;
    bytes +=
        transfers * buffer_bytes(stage.tensors[t], tiles, 1) * (is_output && is_partial ? 2 : 1);
  }
  return bytes;
}

StagePlan plan_greedily(const StageModel& stage, const Room& room, int cores) {
  StagePlan out;
  out.choice = choose_for_cores(stage, room, cores);
  const Tiles& tiles = out.choice.tiles;
  const bool has_parallel = std::any_of(stage.loops.begin(), stage.loops.end(),
                                        [](const LoopModel& l) { return l.is_parallel; });
  if (cores > 1 && !has_parallel) {
    out.parallel = most_tiles(stage, tiles, spatial_loops(stage), cores);
  }
  StageModel rest = stage;
  if (out.parallel >= 0) rest.loops[index(out.parallel)].tiling = Tiling::Outside;
  const auto with_parallel = [&](ReductionPlace place) {
    std::vector<int> order;
    if (out.parallel >= 0) order.push_back(out.parallel);
    for (const int loop : order_loops(rest, tiles, place)) {
      if (loop != out.parallel) order.push_back(loop);
    }
    return order;
  };
  out.outer = with_parallel(ReductionPlace::Anywhere);
  const std::vector<int> whole_sums = with_parallel(ReductionPlace::Innermost);
  if (stage.is_nested ||
      moved_bytes(stage, tiles, whole_sums) < moved_bytes(stage, tiles, out.outer)) {
    out.outer = whole_sums;
  }
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (!contains(out.outer, k)) out.inner.push_back(k);
  }
  return out;
}

}  // namespace solway::memory_planner
