#include "memory_planner/lane_plans.h"

#include <algorithm>
#include <set>

#include "support/lanes_apart.h"

namespace solway::memory_planner {
namespace {

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

int loop_count(const VectorStage& stage) { return static_cast<int>(stage.loops.size()); }

/// Whether each vector that a turn loads is of several sums.
bool loads_serve_several(const VectorStage& stage, const VectorPlan& plan) {
  double sums = 1;
  for (const std::int64_t held : plan.held) sums *= static_cast<double>(held);
  return std::all_of(stage.accesses.begin(), stage.accesses.end(), [&](const auto& access) {
    return access.is_written || !access.depends(plan.vector) ||
           distinct_loads(stage, plan, access) < sums;
  });
}

bool fills_vectors(const VectorStage& stage, int loop) {
  const LoopModel& model = stage.loops[index(loop)];
  return model.extent >= stage.lanes && model.tiling == Tiling::Free;
}

/// Whether a part of a vector along the loop makes a square: more than whole vectors reach.
bool fills_some_lanes(const VectorStage& stage, int loop) {
  const LoopModel& model = stage.loops[index(loop)];
  return stage.has_masks && model.extent > kMostLanesApart && model.tiling == Tiling::Free;
}

/// Whether so few rows are turned (codegen/llvm/detail/turned_square.h).
bool has_some_rows(const VectorStage& stage, int loop) {
  return fills_some_lanes(stage, loop) && 4 * stage.loops[index(loop)].extent >= stage.lanes;
}

/// The loop over all terms; -1: there are several.
int only_term(const VectorStage& stage) {
  int out = -1;
  for (int k = 0; k < loop_count(stage); ++k) {
    if (!is_reduction(stage, k) || stage.loops[index(k)].extent < 2) continue;
    if (out >= 0) return -1;
    out = k;
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> even_sizes(std::int64_t steps, std::int64_t most) {
  std::vector<std::int64_t> out;
  for (std::int64_t size = 1; size <= std::min(steps, most); ++size) {
    const std::int64_t parts = (steps + size - 1) / size;
    if ((steps + parts - 1) / parts == size) out.push_back(size);
  }
  return out;
}

std::vector<std::int64_t> row_sizes(const VectorStage& stage, int loop, std::int64_t most) {
  const std::int64_t extent = stage.loops[index(loop)].extent;
  std::vector<std::int64_t> out = even_sizes(extent, most);
  if (stage.cut_blocks.empty() || !stage.cut_blocks[index(loop)]) return out;
  out.erase(
      std::remove_if(out.begin(), out.end(), [&](std::int64_t size) { return extent % size != 0; }),
      out.end());
  return out;
}

bool is_row(const VectorStage& stage, int loop, int vector) {
  const LoopModel& model = stage.loops[index(loop)];
  return loop != vector && model.tiling == Tiling::Free && stage.around[index(loop)] &&
         !is_reduction(stage, loop) && model.extent > 1;
}

std::vector<VectorPlan> tiles_of_sums(const VectorStage& stage, const VectorPlan& base,
                                      const CacheModel& caches) {
  std::vector<VectorPlan> out;
  const bool is_apart =
      std::find(stage.around.begin(), stage.around.end(), false) != stage.around.end();
  if (is_apart || stage.statements > 1 || stage.is_scalable) return out;
  const auto sizes_of = [&](int loop) { return row_sizes(stage, loop, caches.registers * 3 / 4); };
  const auto add = [&](VectorPlan plan) {
    const bool fits = registers_of(stage, plan) < caches.registers;
    if (fits && loads_serve_several(stage, plan)) out.push_back(std::move(plan));
  };
  std::vector<VectorPlan> of_rows;
  for (int a = 0; a < loop_count(stage); ++a) {
    if (!is_row(stage, a, base.vector)) continue;
    for (const std::int64_t rows : sizes_of(a)) {
      VectorPlan plan = base;
      plan.held[index(a)] = rows;
      add(plan);
      if (rows > 1) of_rows.push_back(std::move(plan));
    }
  }
  for (const VectorPlan& rows : of_rows) {
    for (int b = loop_count(stage) - 1; b >= 0 && rows.held[index(b)] == 1; --b) {
      if (!is_row(stage, b, base.vector)) continue;
      VectorPlan tile = rows;
      for (const std::int64_t columns : sizes_of(b)) {
        tile.held[index(b)] = columns;
        if (columns > 1) add(tile);
      }
    }
  }
  return out;
}

std::vector<VectorPlan> interleaved(const VectorStage& stage, const VectorPlan& base) {
  std::vector<VectorPlan> out;
  const bool may = !stage.is_update && !stage.is_scalable && !base.in_blocks &&
                   fills_vectors(stage, base.vector);
  for (int k = 0; may && k < loop_count(stage); ++k) {
    const std::int64_t extent = stage.loops[index(k)].extent;
    if (!is_row(stage, k, base.vector) || extent > kMostLanesApart) continue;
    VectorPlan plan = base;
    plan.interleaved = k;
    plan.held[index(k)] = extent;
    const auto lies_together = [&](const VectorAccess& access) {
      return lies_interleaved(plan, access);
    };
    const auto is_stored_so = [&](const VectorAccess& access) {
      return !access.is_written || lies_together(access);
    };
    const auto& all = stage.accesses;
    if (std::all_of(all.begin(), all.end(), is_stored_so) ||
        (stores_neighbours(stage, base) && std::any_of(all.begin(), all.end(), lies_together))) {
      out.push_back(std::move(plan));
    }
  }
  return out;
}

std::vector<VectorPlan> squares_of_terms(const VectorStage& stage, const VectorPlan& base) {
  std::vector<VectorPlan> out;
  const bool has_lanes = fills_vectors(stage, base.vector) || fills_some_lanes(stage, base.vector);
  const bool may_turn = stage.has_free_order && !stage.is_scalable && !stage.has_sizes() &&
                        !base.in_blocks && base.dot < 0 && has_lanes &&
                        !stage.starts_late[index(base.vector)] && stores_neighbours(stage, base);
  const int terms = may_turn ? only_term(stage) : -1;
  if (terms < 0) return out;
  VectorPlan plan = base;
  plan.turned = terms;
  plan.written_out[index(terms)] = true;
  const bool has_rows = fills_vectors(stage, terms) || has_some_rows(stage, terms);
  std::set<std::string> turned;  // arrays
  for (const VectorAccess& access : stage.accesses) {
    if (is_turned(plan, access)) turned.insert(access.array);
  }
  // More vectors than one square has take as long to turn as sums to combine their lanes.
  const auto squares = static_cast<std::int64_t>(turned.size());
  const std::int64_t vectors = squares * stage.loops[index(terms)].extent;
  if (has_rows && squares > 0 && vectors <= stage.lanes) out.push_back(std::move(plan));
  return out;
}

std::vector<VectorPlan> squares(const VectorStage& stage, const VectorPlan& base) {
  std::vector<VectorPlan> out;
  const bool has_lanes = fills_vectors(stage, base.vector) || fills_some_lanes(stage, base.vector);
  const bool may_turn = !stage.is_update && !stage.is_scalable && !base.in_blocks && has_lanes &&
                        stores_neighbours(stage, base);
  for (int k = 0; may_turn && k < loop_count(stage); ++k) {
    VectorPlan plan = base;
    plan.turned = k;
    const bool has_squares =
        std::any_of(stage.accesses.begin(), stage.accesses.end(),
                    [&](const VectorAccess& access) { return is_turned(plan, access); });
    const bool has_rows = fills_vectors(stage, k) || has_some_rows(stage, k);
    if (!is_row(stage, k, plan.vector) || !has_rows || !has_squares) continue;
    plan.held[index(k)] = std::min<std::int64_t>(stage.lanes, stage.loops[index(k)].extent);
    out.push_back(std::move(plan));
  }
  return out;
}

}  // namespace solway::memory_planner
