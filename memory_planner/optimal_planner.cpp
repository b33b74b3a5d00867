#include "memory_planner/optimal_planner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "memory_planner/compute_cost.h"

namespace solway::memory_planner {
namespace {

constexpr std::size_t kTileSizes = 7;
constexpr std::size_t kHeldForms = 5;
constexpr std::int64_t kWholeReduction = 11;  // extents of a kernel's loops: not cut into tiles

using Sizes = std::vector<std::int64_t>;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// At most `count` of them, the first and the last among them, at even distances.
Sizes thinned(Sizes sizes, std::size_t count) {
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() <= count) return sizes;
  Sizes out;
  for (std::size_t k = 0; k < count; ++k) {
    out.push_back(sizes[k * (sizes.size() - 1) / (count - 1)]);
  }
  return out;
}

/// Divisors of `size` that are multiples of `unit`.
Sizes divisors(std::int64_t size, std::int64_t unit) {
  Sizes out;
  for (std::int64_t k = unit; k <= size; k += unit) {
    if (size % k == 0) out.push_back(k);
  }
  return out;
}

class Search {
 public:
  Search(const CostInputs& in, const Room& room) : in_(in), stage_(*in.stage), room_(room) {
    loops_ = static_cast<int>(stage_.loops.size());
    for (int k = 0; k < loops_; ++k) {
      const bool is_spatial = stage_.loops[at(k)].kind == dsl::AxisKind::Spatial;
      (is_spatial ? spatial_ : reduce_).push_back(k);
    }
    best_.plan = plan_of(stage_, plan_greedily(stage_, room, in.target->cores.count), room,
                         in.target->cores.count);
    best_.cost = cost_of(in_, best_.plan);
    greedy_ = best_;
    scalar_ = one_core_ = std::numeric_limits<double>::infinity();
    if (!best_.plan.fits) {
      best_cycles_ = std::numeric_limits<double>::infinity();
    } else {
      best_cycles_ = best_.cost.total();
      scalar_ = best_cycles_;
    }
  }

  OptimalPlan run() {
    if (!best_.plan.fits) return best_;
    for (const NestPlan& cores : parallel_forms()) {
      for (const NestPlan& held : held_forms(cores)) choose_tile(held, 0);
    }
    improve_staging();
    best_.decisions = decisions();
    best_.evaluated = evaluated_;
    return best_;
  }

 private:
  NestPlan whole() const {
    NestPlan out;
    for (const LoopModel& loop : stage_.loops) out.cuts.push_back({loop.extent, loop.extent, 1});
    out.depths.assign(stage_.tensors.size(), 1);
    return out;
  }

  /// Loops that index every written tensor: iterations of others would meet on one element.
  bool may_be_parallel(int loop) const {
    if (stage_.loops[at(loop)].extent <= 1) return false;
    return std::all_of(stage_.tensors.begin(), stage_.tensors.end(), [&](const TensorModel& t) {
      return t.direction == AccessDirection::Read || depends(t, loop);
    });
  }

  std::vector<NestPlan> parallel_forms() const {
    const Cores& cores = in_.target->cores;
    std::vector<NestPlan> out;
    const auto cut = [&](NestPlan& plan, int loop, std::int64_t part) {
      const std::int64_t extent = stage_.loops[at(loop)].extent;
      plan.cuts[at(loop)].part = plan.cuts[at(loop)].tile = part;
      plan.grid[plan.parallel.size()] = (extent + part - 1) / part;
      plan.parallel.push_back(loop);
    };
    for (const int a : spatial_) {
      if (!may_be_parallel(a)) continue;
      if (cores.count > 1) {
        // Longer parts, too, though fewer cores have one then: their blocks are longer.
        const std::int64_t extent = stage_.loops[at(a)].extent;
        const std::int64_t least = (extent + cores.count - 1) / cores.count;
        Sizes parts;
        for (std::int64_t part = least; part < std::max(extent, least + 1) && part <= 8 * least;
             part *= 2) {
          parts.push_back(part);
          const std::int64_t lanes = in_.body->lanes;
          parts.push_back(std::min(extent, (part + lanes - 1) / lanes * lanes));
        }
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        for (const std::int64_t part : parts) {
          NestPlan one = whole();
          cut(one, a, part);
          out.push_back(one);
        }
      }
      for (const int b : spatial_) {
        if (b <= a || !may_be_parallel(b) || cores.mesh_rows == 0 || cores.mesh_columns == 0)
          continue;
        NestPlan two = whole();
        cut(two, a, (stage_.loops[at(a)].extent + cores.mesh_rows - 1) / cores.mesh_rows);
        cut(two, b, (stage_.loops[at(b)].extent + cores.mesh_columns - 1) / cores.mesh_columns);
        out.push_back(two);
      }
    }
    out.push_back(whole());
    return out;
  }

  /// What registers hold: the forms with the least computing per element, of each vector loop.
  std::vector<NestPlan> held_forms(const NestPlan& cores) const {
    std::vector<NestPlan> out;
    for (int vector = -1; vector < loops_; ++vector) {
      if (vector >= 0 && !may_run_in_vectors(vector)) continue;
      std::vector<std::pair<double, NestPlan>> forms;
      NestPlan plan = cores;
      plan.vector = vector;
      add_held(plan, 0, forms);
      std::sort(forms.begin(), forms.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t k = 0; k < std::min(kHeldForms, forms.size()); ++k) {
        out.push_back(std::move(forms[k].second));
      }
    }
    return out;
  }

  bool may_run_in_vectors(int loop) const {
    if (in_.body->lanes <= 1 || stage_.loops[at(loop)].extent < in_.body->lanes) return false;
    if (stage_.loops[at(loop)].kind != dsl::AxisKind::Spatial) return false;
    return std::all_of(stage_.tensors.begin(), stage_.tensors.end(), [&](const TensorModel& t) {
      return t.direction == AccessDirection::Read || lane_access(t, loop) == LaneAccess::Contiguous;
    });
  }

  Sizes held_sizes(const NestPlan& plan, int loop) const {
    const std::int64_t part = plan.cuts[at(loop)].part;
    const std::int64_t extent = stage_.loops[at(loop)].extent;
    Sizes out;
    if (loop == plan.vector) {
      const std::int64_t lanes = in_.body->lanes;
      for (std::int64_t n = lanes; n <= 4 * lanes; n += lanes) {
        if (part % n == 0 && extent % n == 0) out.push_back(n);
      }
      if (out.empty() && part >= lanes) out.push_back(part);  // with a remainder
      return out;
    }
    out.push_back(1);
    if (!in_.body->is_reduction) return out;
    for (std::int64_t n = 2; n <= 16; ++n) {
      if (part % n == 0 && extent % n == 0) out.push_back(n);
    }
    return out;
  }

  void add_held(NestPlan& plan, std::size_t next,
                std::vector<std::pair<double, NestPlan>>& out) const {
    if (next == spatial_.size()) {
      unroll_reduction(plan, out);
      return;
    }
    const int loop = spatial_[next];
    for (const std::int64_t held : held_sizes(plan, loop)) {
      plan.cuts[at(loop)].held = held;
      add_held(plan, next + 1, out);
    }
    plan.cuts[at(loop)].held = 1;
  }

  /// The loop of a reduction as it is, and unrolled. Of several loops the code would be longer than
  /// what it gains.
  void unroll_reduction(NestPlan& plan, std::vector<std::pair<double, NestPlan>>& out) const {
    for (const std::int64_t times : {1, 2}) {
      if (times > 1 &&
          (reduce_.size() != 1 || stage_.loops[at(reduce_.back())].extent % times != 0)) {
        continue;
      }
      if (!reduce_.empty()) plan.cuts[at(reduce_.back())].held = times;
      add_form(plan, times > 1, out);
    }
    if (!reduce_.empty()) plan.cuts[at(reduce_.back())].held = 1;
  }

  void add_form(const NestPlan& plan, bool is_unrolled,
                std::vector<std::pair<double, NestPlan>>& out) const {
    const bool is_plain =
        plan.vector < 0 && std::all_of(plan.cuts.begin(), plan.cuts.end(),
                                       [](const LoopCut& cut) { return cut.held == 1; });
    const bool is_held = held_vectors(stage_, *in_.body, plan, *in_.target) > 0;
    if (is_unrolled && !is_held) return;
    if (!is_held && !is_plain && !only_vector_held(plan)) return;
    out.emplace_back(compute_cycles(stage_, *in_.body, plan, *in_.target), plan);
  }

  bool only_vector_held(const NestPlan& plan) const {
    for (int k = 0; k < loops_; ++k) {
      if (k != plan.vector && plan.cuts[at(k)].held != 1) return false;
    }
    return plan.vector >= 0;
  }

  Sizes tile_sizes(const NestPlan& plan, int loop) const {
    const LoopCut& cut = plan.cuts[at(loop)];
    if (stage_.loops[at(loop)].is_whole) return {cut.part};
    if (stage_.loops[at(loop)].kind == dsl::AxisKind::Reduce && cut.part <= kWholeReduction) {
      return {cut.part};
    }
    Sizes out = divisors(cut.part, cut.held);
    for (std::int64_t n = cut.held; n < cut.part; n *= 2) {
      const bool is_reduce = stage_.loops[at(loop)].kind == dsl::AxisKind::Reduce;
      if (is_reduce || (!in_.body->is_reduction && out.size() < 4)) out.push_back(n);
    }
    return thinned(out, kTileSizes);
  }

  void choose_tile(NestPlan plan, int next) {
    if (next == 0 && compute_cycles(stage_, *in_.body, plan, *in_.target) >= limit(plan)) return;
    if (next == loops_) {
      choose_depths(plan);
      return;
    }
    const std::int64_t before = plan.cuts[at(next)].tile;
    // The largest first: what is good is found early.
    const Sizes sizes = tile_sizes(plan, next);
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      plan.cuts[at(next)].tile = *size;
      if (least_bytes(plan, next + 1) > room_.capacity_bytes) continue;
      choose_tile(plan, next + 1);
    }
    plan.cuts[at(next)].tile = before;
  }

  /// Bytes when the loops from `next` on have the smallest tiles.
  std::int64_t least_bytes(const NestPlan& plan, int next) const {
    NestPlan least = plan;
    for (int k = next; k < loops_; ++k) {
      const Sizes sizes = tile_sizes(plan, k);
      least.cuts[at(k)].tile = sizes.front();
    }
    return buffer_bytes(stage_, least, room_.alignment_bytes);
  }

  double limit(const NestPlan& plan) const {
    if (plan.parallel.empty()) return std::max(best_cycles_, one_core_);
    return plan.vector < 0 ? std::max(best_cycles_, scalar_) : best_cycles_;
  }

  void choose_depths(NestPlan& plan) {
    if (compute_cycles(stage_, *in_.body, plan, *in_.target) >= limit(plan)) return;
    std::vector<int> outer;
    for (const int k : spatial_) {
      if (plan.cuts[at(k)].tile < plan.cuts[at(k)].part) outer.push_back(k);
    }
    std::sort(outer.begin(), outer.end());
    do {
      plan.outer = outer;
      for (const int k : reduce_) {
        if (plan.cuts[at(k)].tile < plan.cuts[at(k)].part) plan.outer.push_back(k);
      }
      const int tensors = static_cast<int>(stage_.tensors.size());
      for (int deep = (1 << tensors) - 1; deep >= 0; --deep) {
        bool is_possible = true;
        for (int t = 0; t < tensors; ++t) {
          plan.depths[at(t)] = (deep >> t & 1) != 0 ? 2 : 1;
          if (plan.depths[at(t)] == 2 && !can_overlap(stage_, plan, t)) is_possible = false;
        }
        if (is_possible) consider(plan);
      }
    } while (std::next_permutation(outer.begin(), outer.end()));
  }

  void consider(NestPlan& plan) {
    plan.bytes = buffer_bytes(stage_, plan, room_.alignment_bytes);
    plan.fits = plan.bytes <= room_.capacity_bytes;
    if (!plan.fits) return;
    ++evaluated_;
    const PlanCost cost = cost_of(in_, plan);
    const double cycles = cost.total();
    if (plan.vector < 0) scalar_ = std::min(scalar_, cycles);
    if (plan.parallel.empty()) one_core_ = std::min(one_core_, cycles);
    if (cycles >= best_cycles_) return;
    best_cycles_ = cycles;
    best_.plan = plan;
    best_.cost = cost;
  }

  /// Leaves out buffers that do not pay.
  void improve_staging() {
    for (std::size_t t = 0; t < stage_.tensors.size(); ++t) {
      NestPlan plan = best_.plan;
      plan.depths[t] = 0;
      consider(plan);
    }
  }

  std::vector<Decision> decisions() const {
    std::vector<Decision> out;
    const double now = best_cycles_;
    for (int t = 0; t < static_cast<int>(stage_.tensors.size()); ++t) {
      const std::string& name = stage_.tensors[at(t)].name;
      const int depth = best_.plan.depths[at(t)];
      const auto with = [&](int other) {
        NestPlan plan = best_.plan;
        plan.depths[at(t)] = other;
        return plan;
      };
      const auto cycles = [&](int other) { return cost_of(in_, with(other)).total(); };
      if (depth == 0) {
        out.push_back({"stage " + name, "accessed in main memory", now, "staged", cycles(1), ""});
        continue;
      }
      out.push_back({"stage " + name, "staged", now, "accessed in main memory", cycles(0), ""});
      Decision deep{"double-buffer " + name,
                    depth == 2 ? "two regions" : "one region",
                    now,
                    depth == 2 ? "one region" : "two regions",
                    -1,
                    ""};
      const NestPlan other = with(3 - depth);
      if (!can_overlap(stage_, best_.plan, t)) {
        deep.why_not = "a core fills it once in each part that it runs";
      } else if (buffer_bytes(stage_, other, room_.alignment_bytes) > room_.capacity_bytes) {
        deep.why_not =
            "no room: " + std::to_string(buffer_bytes(stage_, other, room_.alignment_bytes)) +
            " of " + std::to_string(room_.capacity_bytes) + " bytes";
      } else {
        deep.instead_cycles = cost_of(in_, other).total();
      }
      out.push_back(deep);
    }
    Decision vectors{"vectors", "along " + name_of(best_.plan.vector), now, "one by one", scalar_,
                     ""};
    if (best_.plan.vector < 0) {
      vectors = {"vectors",
                 "one by one",
                 now,
                 "vectors",
                 -1,
                 in_.body->no_vector.empty()
                     ? "no loop along which every tensor is contiguous or the same pays"
                     : in_.body->no_vector};
    }
    out.push_back(vectors);
    out.push_back({"search", "the best plan", now, "the greedy plan", greedy_.cost.total(), ""});
    return out;
  }

  std::string name_of(int loop) const { return loop < 0 ? "" : stage_.loops[at(loop)].name; }

  const CostInputs& in_;
  const StageModel& stage_;
  const Room& room_;
  int loops_ = 0;
  std::vector<int> spatial_;
  std::vector<int> reduce_;
  OptimalPlan best_;
  OptimalPlan greedy_;
  double best_cycles_ = 0;
  double scalar_ = 0;    ///< of the best plan without vectors
  double one_core_ = 0;  ///< of the best plan without a parallel loop
  std::int64_t evaluated_ = 0;
};

}  // namespace

NestPlan plan_of(const StageModel& stage, const StagePlan& greedy, const Room& room, int cores) {
  NestPlan out;
  for (std::size_t k = 0; k < stage.loops.size(); ++k) {
    const std::int64_t extent = std::max<std::int64_t>(1, stage.loops[k].extent);
    out.cuts.push_back({extent, std::min(extent, greedy.choice.tiles[k]), 1});
  }
  if (greedy.parallel >= 0) {
    LoopCut& cut = out.cuts[at(greedy.parallel)];
    const std::int64_t parts = (cut.part + cut.tile - 1) / cut.tile;
    cut.part = cut.tile;
    out.parallel = {greedy.parallel};
    out.grid[0] = std::min<std::int64_t>(parts, cores);
  }
  for (const int k : greedy.outer) {
    if (k != greedy.parallel && out.cuts[at(k)].tile < out.cuts[at(k)].part) out.outer.push_back(k);
  }
  out.depths.assign(stage.tensors.size(), 1);
  out.bytes = buffer_bytes(stage, out, room.alignment_bytes);
  out.fits = greedy.choice.fits;
  return out;
}

OptimalPlan plan_optimally(const CostInputs& in, const Room& room) {
  return Search(in, room).run();
}

}  // namespace solway::memory_planner
