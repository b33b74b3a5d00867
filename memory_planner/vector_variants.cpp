#include "memory_planner/vector_variants.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "memory_planner/early_lines.h"
#include "memory_planner/terms_together.h"
#include "memory_planner/tile_levels.h"

namespace solway::memory_planner {
namespace {

constexpr std::size_t kMostKinds = 3;
constexpr double kNearly = 1.1;    ///< of the cycles of the best plan
constexpr double kFewestUses = 4;  ///< of what moves around a group, by its tiles

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// The plan with requests for lines, whose distances depend on its other parts.
VectorPlan with_requests(const VectorStage& stage, VectorPlan plan, const CacheModel& caches) {
  plan.early = lines_to_ask_for(stage, plan, caches);
  plan.cycles = cycles_of(stage, plan, caches);
  return plan;
}

/// Variants of one plan.
class Variants {
 public:
  Variants(const VectorStage& stage, const Target& target, const VectorPlan& plan)
      : stage_(stage), caches_(caches_of(target)), plan_(plan) {}

  std::vector<VectorPlan> run() {
    if (!stage_.is_update || plan_.vector < 0 || !plan_.in_registers) return {};
    VectorPlan silent = plan_;
    silent.early.clear();
    if (!plan_.early.empty()) add(silent);
    add_terms(silent);
    add_without_copies(silent);
    add_groups();
    return std::move(out_);
  }

 private:
  void add(VectorPlan plan) {
    plan.cycles = cycles_of(stage_, plan, caches_);
    out_.push_back(std::move(plan));
  }

  void add_terms(const VectorPlan& silent) {
    if (plan_.together.loop >= 0) {
      VectorPlan apart = silent;
      apart.together = {};
      return add(apart);
    }
    const auto together = with_terms_together(stage_, silent);
    if (!together) return;
    add(*together);
    if (!plan_.early.empty()) add(with_requests(stage_, *together, caches_));
  }

  /// Without copies that do not turn their operand.
  void add_without_copies(const VectorPlan& silent) {
    VectorPlan direct = silent;
    const auto is_plain = [](const Panel& panel) { return panel.lanes < 0; };
    if (std::erase_if(direct.panels, is_plain) > 0) add(direct);
  }

  /// What is spread over lanes in groups of tiles that use each strip of the other operand several
  /// times, where the second-level cache holds what a group reads.
  void add_groups() {
    const VectorAccess* const strip = longest_strip();
    if (strip == nullptr || plan_.groups.loop >= 0) return;
    VectorPlan plan = plan_;
    std::erase_if(plan.panels, [&](const Panel& panel) { return panel.lanes < 0; });
    std::erase_if(plan.early, [](const EarlyLines& lines) { return lines.inside >= 0; });
    const auto rank = [&](int k) {
      const bool is_fixed = stage_.loops[index(k)].tiling != Tiling::Free;
      return is_fixed ? 0 : strip->depends(k) ? 1 : 2;
    };
    std::stable_sort(plan.outer.begin(), plan.outer.end(),
                     [&](int a, int b) { return rank(a) < rank(b); });
    double inside = 1;  // tiles of the loops in one iteration of the grouped one
    for (const int k : plan.outer) {
      if (rank(k) != 2) continue;
      const double tiles = tiles_of(stage_, plan, k);
      if (plan.groups.loop < 0 && tiles > 1) {
        plan.groups.loop = k;
      } else {
        inside *= tiles;
      }
    }
    if (plan.groups.loop < 0) return;
    plan.groups.size = static_cast<std::int64_t>(std::max(2.0, std::ceil(kFewestUses / inside)));
    const bool moves_strips = std::any_of(plan.outer.begin(), plan.outer.end(), [&](int k) {
      return rank(k) == 1 && tiles_of(stage_, plan, k) > 1;
    });
    const double tiles = tiles_of(stage_, plan, plan.groups.loop);
    if (moves_strips && 2 * static_cast<double>(plan.groups.size) <= tiles) add(std::move(plan));
  }

  /// What comes in vectors and is used by several tiles.
  const VectorAccess* longest_strip() const {
    const VectorAccess* out = nullptr;
    for (const VectorAccess& access : stage_.accesses) {
      if (access.is_written || !access.depends(plan_.vector)) continue;
      if (uses_of_strip(stage_, plan_, access) < 2) continue;
      const bool is_longer =
          out == nullptr || strip_bytes(stage_, plan_, access) > strip_bytes(stage_, plan_, *out);
      if (is_longer) out = &access;
    }
    return out;
  }

  const VectorStage& stage_;
  CacheModel caches_;
  const VectorPlan& plan_;
  std::vector<VectorPlan> out_;
};

}  // namespace

std::vector<VectorPlan> of_several_kinds(const VectorStage& stage, const CacheModel& caches,
                                         const std::vector<VectorPlan>& sorted, std::size_t count) {
  std::vector<VectorPlan> out;
  std::vector<bool> is_taken(sorted.size(), false);
  const auto take = [&](std::size_t n) {
    if (is_taken[n]) return;
    is_taken[n] = true;
    out.push_back(sorted[n]);
  };
  // One vector waits for what it loads. Windows are of one kind that are written out alike.
  std::set<std::pair<std::int64_t, std::int64_t>> kinds{{1, 0}};
  const auto kind_of = [&](const VectorPlan& plan) {
    const std::int64_t written_out =
        std::count(plan.written_out.begin(), plan.written_out.end(), true);
    return std::pair(written_out > 0 ? 0 : vectors_of_row(stage, plan), written_out);
  };
  for (std::size_t n = 0; n < sorted.size() && out.size() < kMostKinds; ++n) {
    const double most = kNearly * sorted.front().cycles_of_tiles();
    if (sorted[n].cycles_of_tiles() > most || out.size() + 1 >= count) break;
    if (sorted[n].vector < 0) continue;
    const bool is_new = kinds.insert(kind_of(sorted[n])).second;
    if (is_new || n == 0) take(n);
  }
  const std::size_t kinds_found = out.size();
  for (std::size_t n = 0; n < sorted.size(); ++n) {
    if (out.size() + 1 < count || sorted[n].vector < 0) take(n);
  }
  for (std::size_t n = 1; n < kinds_found; ++n) {
    if (!wants_terms_together(stage, out[n], caches)) continue;
    const auto together = with_terms_together(stage, out[n]);
    if (!together) continue;
    out[n] = out[n].early.empty() ? *together : with_requests(stage, *together, caches);
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const VectorPlan& plan) { return plan.vector >= 0; });
  // What leaves the stage is the last resort, or the best.
  if (sorted.front().vector < 0) std::rotate(out.begin(), out.end() - 1, out.end());
  return out;
}

std::vector<VectorPlan> variants_of(const VectorStage& stage, const Target& target,
                                    const VectorPlan& plan) {
  return Variants(stage, target, plan).run();
}

}  // namespace solway::memory_planner
