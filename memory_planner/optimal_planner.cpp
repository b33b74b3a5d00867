#include "memory_planner/optimal_planner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "memory_planner/compute_cost.h"
#include "memory_planner/micro_kernel_cost.h"
#include "memory_planner/plan_forms.h"
#include "memory_planner/tensor_ways.h"

namespace solway::memory_planner {
namespace {

using schedule::SharedBy;
using Sizes = std::vector<std::int64_t>;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kOfSlanted = 0.8;  // of the greedy plan, to be better than it for sure

std::size_t at(int k) { return static_cast<std::size_t>(k); }

class Search {
 public:
  Search(const CostInputs& in, const Room& room, const Means& means)
      : in_(in),
        stage_(*in.stage),
        room_(room),
        means_(means),
        forms_(in, means),
        ways_(in, means) {
    loops_ = static_cast<int>(stage_.loops.size());
    tensors_ = static_cast<int>(stage_.tensors.size());
    bytes_.resize(stage_.tensors.size());
    twins_ = twins_of(stage_, means_);
    first_twin_.resize(stage_.tensors.size());
    for (const std::vector<int>& twins : twins_) {
      for (const int t : twins) first_twin_[at(t)] = twins.front();
    }
    found_.best = plan_of(stage_, plan_greedily(stage_, room, in.target->cores.count), room,
                          in.target->cores.count);
    forms_.keep_marks(found_.best);
    keep_to_means(found_.best);
    greedy_ = found_.best;
    found_.greedy_cycles = cost_of(in_, greedy_).total();
    if (!greedy_.fits) return;
    found_.in_c = found_.scalar = found_.greedy_cycles;
    if (may_be_chosen(found_.best)) found_.cycles = found_.greedy_cycles;
  }

  OptimalPlan run() {
    OptimalPlan out;
    NestPlan drained = found_.best;
    if (found_.best.fits) {
      const std::vector<NestPlan> forms = forms_of(forms_.parallel_forms());
      estimate(forms);
      for (const NestPlan& form : forms) choose_tiles(form);
      turn_mesh();
      for (const NestPlan& form : forms_of(forms_.forms_on_several_rows())) choose_tiles(form);
      if (std::isinf(found_.cycles)) found_.cycles = found_.greedy_cycles;
      prefer_greedy();
      improve_staging();
      drained = found_.best;
      fill_gaps();
      out.decisions = decisions_of(in_, room_, means_, found_);
    }
    out.plan = found_.best;
    out.cost = cost_of(in_, out.plan);
    out.drained_cycles = cost_of(in_, drained).total();
    out.evaluated = evaluated_;
    return out;
  }

 private:
  /// Of tiles that slanted sides cut the model is off by a quarter: a plan of these that is not
  /// much better than the greedy one, whose rows are boxes, is not taken.
  void prefer_greedy() {
    const bool is_slanted =
        std::any_of(stage_.tensors.begin(), stage_.tensors.end(),
                    [](const TensorModel& tensor) { return !tensor.slants.empty(); });
    if (!is_slanted || !may_be_chosen(greedy_)) return;
    if (found_.cycles <= kOfSlanted * found_.greedy_cycles) return;
    found_.best = greedy_;
    found_.cycles = found_.greedy_cycles;
  }

  /// Gives a plan up what was refused, so that it is a candidate.
  void keep_to_means(NestPlan& plan) const {
    if (means_.keeps_order) keep_order(plan);
    if (means_.direct.empty() && means_.single.empty()) return;
    for (const int t : means_.direct) plan.depths[at(t)] = 0;
    for (const int k : means_.single) {
      LoopCut& cut = plan.cuts[at(k)];
      cut.tile = 1;
      const bool is_outer = std::find(plan.outer.begin(), plan.outer.end(), k) != plan.outer.end();
      if (cut.part > 1 && !is_outer) plan.outer.insert(plan.outer.begin(), k);
    }
    const std::int64_t bytes = buffer_bytes(stage_, plan, room_.alignment_bytes);
    plan.bytes = bytes;
    plan.fits = bytes <= room_.capacity_bytes;
  }

  /// Puts the loops over tiles in the order of the stage, where only the first of them can be
  /// shared out among cores, or those that the user shares out.
  void keep_order(NestPlan& plan) const {
    if (!plan.parallel.empty() && !stage_.loops[at(plan.parallel.front())].is_parallel &&
        plan.parallel.front() != 0) {
      for (const int k : plan.parallel) plan.cuts[at(k)].part = stage_.loops[at(k)].extent;
      plan.parallel.clear();
    }
    plan.outer = loops_over_tiles(plan);
  }

  /// The loops of several tiles in a part, in the order of the stage.
  std::vector<int> loops_over_tiles(const NestPlan& plan) const {
    std::vector<int> out;
    for (int k = 0; k < loops_; ++k) {
      if (plan.cuts[at(k)].tile < plan.cuts[at(k)].part) out.push_back(k);
    }
    return out;
  }

  /// Whether a plan has the code that the means ask for.
  bool may_be_chosen(const NestPlan& plan) const {
    if (means_.inner == InnerProduct::LoopsOfC) return !plan.micro_kernel;
    const bool has_to = means_.inner == InnerProduct::Assembly;
    return !has_to || plan.micro_kernel || !forms_.multiplies_by_micro_kernel();
  }

  double computing(const NestPlan& plan) const {
    return compute_cycles(stage_, *in_.body, plan, *in_.target);
  }

  std::vector<NestPlan> forms_of(const std::vector<NestPlan>& parallel) const {
    std::vector<NestPlan> out;
    const auto add = [&](std::vector<NestPlan> forms) {
      std::move(forms.begin(), forms.end(), std::back_inserter(out));
    };
    for (const NestPlan& cores : parallel) {
      if (means_.loops_of_c) add(forms_.held_forms(cores));
      if (means_.micro_kernels) add(forms_.micro_kernel_forms(cores));
    }
    return out;
  }

  /// Looks at few sizes of each tile: what there is among them ends most branches at once when all
  /// are looked at.
  void estimate(const std::vector<NestPlan>& forms) {
    const FoundPlans before = found_;
    is_estimate_ = true;
    for (const NestPlan& form : forms) choose_tiles(form);
    is_estimate_ = false;
    there_is_ = std::exchange(found_, before);
  }

  Sizes sizes_of(const NestPlan& form, int loop) const {
    Sizes out = forms_.tile_sizes(form, loop);
    if (is_estimate_ && out.size() > 3) out = {out.front(), out[out.size() / 2], out.back()};
    return out;
  }

  void choose_tiles(NestPlan form) {
    if (computing(form) >= useful(form)) return;
    ways_.begin_form();
    sizes_.clear();
    for (int k = 0; k < loops_; ++k) sizes_.push_back(sizes_of(form, k));
    NestPlan least = form;
    for (int k = 0; k < loops_; ++k) least.cuts[at(k)].tile = sizes_[at(k)].front();
    choose_tile(form, least, 0);
  }

  /// `least` is `plan` with the smallest tiles of the loops from `next` on.
  void choose_tile(NestPlan& plan, NestPlan& least, int next) {
    if (next == loops_) {
      choose_order(plan);
      return;
    }
    // The largest first: what is good is found early.
    const Sizes& sizes = sizes_[at(next)];
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      plan.cuts[at(next)].tile = least.cuts[at(next)].tile = *size;
      if (buffer_bytes(stage_, least, room_.alignment_bytes) > room_.capacity_bytes) continue;
      choose_tile(plan, least, next + 1);
    }
    least.cuts[at(next)].tile = sizes.front();
  }

  /// Cycles from which on a plan is of no use, not even as the other side of a decision.
  double useful(const NestPlan& plan) const {
    const auto least = [](double found, double there_is) {
      return std::min(found, std::nextafter(there_is, kNever));
    };
    if (plan.micro_kernel) return least(found_.by_micro_kernel, there_is_.by_micro_kernel);
    const double in_c = least(found_.in_c, there_is_.in_c);
    return plan.vector < 0 ? std::max(in_c, least(found_.scalar, there_is_.scalar)) : in_c;
  }

  void choose_order(NestPlan& plan) {
    if (plan.micro_kernel && !fits_micro_kernel(stage_, plan, *plan.micro_kernel)) return;
    const double cycles = computing(plan);
    if (cycles >= useful(plan)) return;
    ways_.begin_tiles();
    plan.units.clear();
    find_bytes(plan);
    if (means_.keeps_order) {
      plan.outer = loops_over_tiles(plan);
      choose_sharing(plan, cycles);
      return;
    }
    std::vector<int> outer;
    for (const int k : forms_.spatial()) {
      if (plan.cuts[at(k)].tile < plan.cuts[at(k)].part) outer.push_back(k);
    }
    std::sort(outer.begin(), outer.end());
    do {
      plan.outer = outer;
      for (const bool are_windows : {false, true}) {
        for (const int k : forms_.reduce()) {
          const bool is_inner = plan.micro_kernel && is_window(*plan.micro_kernel, k);
          const bool is_cut = plan.cuts[at(k)].tile < plan.cuts[at(k)].part;
          if (is_cut && is_inner == are_windows) plan.outer.push_back(k);
        }
      }
      choose_sharing(plan, cycles);
    } while (std::next_permutation(outer.begin(), outer.end()));
  }

  /// Each tensor in each of its ways.
  void choose_sharing(NestPlan& plan, double computing) {
    plan.shared.assign(at(tensors_), SharedBy::Core);
    plan.slides.assign(at(tensors_), false);
    plan.units.assign(at(tensors_), 0);
    std::vector<const TensorWays::Ways*> ways;
    LeastCost least{computing, 0};
    for (int t = 0; t < tensors_; ++t) {
      ways.push_back(&ways_.of(plan, t));
      least = least + ways.back()->least;
      if (!may_be_of_use(plan, least_total(in_, least))) return;
    }
    std::vector<TensorCost> costs(at(tensors_));
    std::vector<std::size_t> chosen(at(tensors_));
    const auto choose = [&](const auto& self, int t, const LeastCost& so_far) -> void {
      if (t == tensors_) {
        if (may_be_of_use(plan, least_total(in_, so_far))) choose_depths(plan, computing, costs);
        return;
      }
      const bool is_free = first_twin_[at(t)] == t;
      const std::size_t first = is_free ? 0 : chosen[at(first_twin_[at(t)])];
      const std::size_t end = is_free ? ways[at(t)]->all.size() : first + 1;
      for (std::size_t k = first; k < end; ++k) {
        const TensorWay& way = ways[at(t)]->all[k];
        chosen[at(t)] = k;
        plan.shared[at(t)] = way.by;
        plan.slides[at(t)] = way.slides;
        plan.units[at(t)] = way.unit;
        costs[at(t)] = way.cost;
        self(self, t + 1, so_far + least_of(way.cost));
      }
    };
    choose(choose, 0, {computing, 0});
  }

  /// Whether a plan that takes no less may be one that `consider` keeps.
  bool may_be_of_use(const NestPlan& plan, double least_cycles) const {
    constexpr double kRounding = 1 - 1e-9;  // sums are added up in another order
    return least_cycles * kRounding < useful(plan);
  }

  /// Of the plan's tiles, in each depth.
  void find_bytes(const NestPlan& plan) {
    for (int t = 0; t < tensors_; ++t) {
      const std::int64_t tile = tile_bytes(stage_, plan, t);
      for (const int depth : {1, 2}) {
        bytes_[at(t)][at(depth)] =
            buffer_bytes(stage_.tensors[at(t)], tile, depth, room_.alignment_bytes);
      }
    }
  }

  std::int64_t bytes_of(const NestPlan& plan) const {
    std::int64_t out = 0;
    for (int t = 0; t < tensors_; ++t) {
      const int depth = plan.depths[at(t)];
      out += unit_of(plan, t) > 0 ? buffer_bytes(stage_, plan, t, depth, room_.alignment_bytes)
                                  : bytes_[at(t)][at(depth)];
    }
    return out;
  }

  void choose_depths(NestPlan& plan, double computing, const std::vector<TensorCost>& costs) {
    const int kinds = static_cast<int>(twins_.size());
    int may_overlap = 0;
    for (int kind = 0; kind < kinds; ++kind) {
      const int t = twins_[at(kind)].front();
      if (means_.may_stage(t) && can_overlap(stage_, plan, t)) may_overlap |= 1 << kind;
    }
    for (int deep = (1 << kinds) - 1; deep >= 0; --deep) {
      if ((deep & ~may_overlap) != 0) continue;
      for (int kind = 0; kind < kinds; ++kind) {
        const int staged = (deep >> kind & 1) != 0 ? 2 : 1;
        for (const int t : twins_[at(kind)]) plan.depths[at(t)] = means_.may_stage(t) ? staged : 0;
      }
      if (bytes_of(plan) > room_.capacity_bytes) continue;
      if (!may_be_of_use(plan, least_total(in_, computing, costs, plan.depths))) continue;
      consider(plan, total_of(in_, computing, costs, plan.depths).total());
    }
  }

  /// `plan` is one that fits.
  void consider(NestPlan& plan, double cycles) {
    double& best_of_kind = plan.micro_kernel ? found_.by_micro_kernel : found_.in_c;
    ++evaluated_;
    if (cycles >= useful(plan)) return;
    plan.bytes = buffer_bytes(stage_, plan, room_.alignment_bytes);
    plan.fits = true;
    best_of_kind = std::min(best_of_kind, cycles);
    if (!plan.micro_kernel && plan.vector < 0) found_.scalar = std::min(found_.scalar, cycles);
    if (cycles >= found_.cycles || !may_be_chosen(plan)) return;
    found_.cycles = cycles;
    found_.best = plan;
  }

  /// Exchanges rows and columns of the best plan: each column has a bus of its own, so that which
  /// cores read together matters.
  void turn_mesh() {
    const Cores& cores = in_.target->cores;
    if (found_.best.parallel.size() != 2 || cores.mesh_rows != cores.mesh_columns) return;
    const LoopModel& first = stage_.loops[at(found_.best.parallel.front())];
    if (first.is_parallel || means_.keeps_order) return;
    NestPlan form = found_.best;
    std::swap(form.parallel[0], form.parallel[1]);
    std::swap(form.grid[0], form.grid[1]);
    choose_tiles(std::move(form));
  }

  /// Leaves out buffers that do not pay.
  void improve_staging() {
    for (int t = 0; t < tensors_ && !found_.best.micro_kernel; ++t) {
      NestPlan plan = found_.best;
      plan.depths[at(t)] = 0;
      if (!plan.shared.empty()) plan.shared[at(t)] = SharedBy::Core;
      if (!plan.slides.empty()) plan.slides[at(t)] = false;
      if (!plan.units.empty()) plan.units[at(t)] = 0;
      consider(plan, cost_of(in_, plan).total());
    }
  }

  /// Lets the pipelines of the best plan run on across its loops, and what it puts leave while the
  /// next tile is computed, whose first operands were asked for before. Other plans are not
  /// compared for that: the model counts all of what the first region of a pass takes as hidden,
  /// and a plan that has many such passes would look better than it is.
  void fill_gaps() {
    try_each(&NestPlan::across, [&](const NestPlan& plan, int t) {
      return runs_ahead(stage_, plan, t) && can_run_across(stage_, plan, t);
    });
    try_each(&NestPlan::late, [&](const NestPlan& plan, int t) {
      return plan.depths[at(t)] == 1 && can_put_late(stage_, plan, t);
    });
  }

  /// Sets a flag of each tensor of the best plan for which that is possible.
  template <typename IsPossible>
  void try_each(std::vector<bool> NestPlan::*flags, const IsPossible& is_possible) {
    for (int t = 0; t < tensors_; ++t) {
      NestPlan plan = found_.best;
      if (!is_possible(plan, t)) continue;
      (plan.*flags).resize(at(tensors_), false);
      (plan.*flags)[at(t)] = true;
      consider(plan, cost_of(in_, plan).total());
    }
  }

  const CostInputs& in_;
  const StageModel& stage_;
  const Room& room_;
  const Means& means_;
  PlanForms forms_;
  int loops_ = 0;
  int tensors_ = 0;
  TensorWays ways_;
  std::vector<std::vector<int>> twins_;  ///< tensors, by what they are twins of
  std::vector<int> first_twin_;          ///< per tensor: itself where it is the first
  std::vector<Sizes> sizes_;             ///< of the present form, per loop: what a tile may hold
  /// Of the present tiles, per tensor, by depth.
  std::vector<std::array<std::int64_t, 3>> bytes_;
  FoundPlans found_;
  NestPlan greedy_;
  bool is_estimate_ = false;
  FoundPlans there_is_;  ///< what estimate found: the search finds as good ones
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

OptimalPlan plan_optimally(const CostInputs& in, const Room& room, const Means& means) {
  return Search(in, room, means).run();
}

}  // namespace solway::memory_planner
