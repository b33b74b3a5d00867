#include "memory_planner/plan_forms.h"

#include <algorithm>
#include <iterator>

#include "memory_planner/compute_cost.h"
#include "memory_planner/micro_kernel_cost.h"
#include "support/divisors.h"

namespace solway::memory_planner {
namespace {

constexpr std::size_t kTileSizes = 7;
constexpr std::size_t kMultipliedSizes = 10;  // of a loop in a micro-kernel
constexpr std::size_t kHeldForms = 5;
constexpr std::int64_t kMostCopies = 4;       // of a step of a reduction
constexpr std::int64_t kFewRounds = 8;        // of all copies, for which none are fetched
constexpr double kGainOfCopies = 0.98;        // else longer code is not worth it
constexpr std::int64_t kReachBytes = 2048;    // of loads from one address, by their offsets
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

std::vector<NestPlan> joined(std::vector<NestPlan> one, std::vector<NestPlan> other) {
  std::move(other.begin(), other.end(), std::back_inserter(one));
  return one;
}

}  // namespace

PlanForms::PlanForms(const CostInputs& in, const Means& means)
    : in_(in), stage_(*in.stage), means_(means) {
  for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
    const bool is_spatial = stage_.loops[at(k)].kind == dsl::AxisKind::Spatial;
    (is_spatial ? spatial_ : reduce_).push_back(k);
  }
  // A micro-kernel multiplies whole tiles in near memory.
  const bool may_multiply = means.micro_kernels && means.direct.empty() && means.single.empty();
  if (may_multiply && has_micro_kernels(*in.target)) products_ = product_forms(stage_, *in.body);
}

NestPlan PlanForms::whole() const {
  NestPlan out;
  for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
    const LoopModel& loop = stage_.loops[at(k)];
    const std::int64_t tile = loop.tiling == Tiling::Outside ? 1 : loop.extent;
    out.cuts.push_back({loop.extent, tile, least_held(k)});
  }
  out.depths.assign(stage_.tensors.size(), 1);
  for (const int t : means_.direct) out.depths[at(t)] = 0;
  return out;
}

/// Iterations that registers hold whatever else they do.
std::int64_t PlanForms::least_held(int loop) const {
  const LoopModel& own = stage_.loops[at(loop)];
  return own.held == HeldBy::Nobody ? 1 : own.extent;
}

/// Whether no other loop is the user's for that, and this one may be.
bool PlanForms::may_be_lanes(int loop) const {
  const auto is_given = [](const LoopModel& other) { return other.held == HeldBy::Vectors; };
  if (loop >= 0 && stage_.loops[at(loop)].held == HeldBy::Unrolled) return false;
  return (loop >= 0 && is_given(stage_.loops[at(loop)])) ||
         std::none_of(stage_.loops.begin(), stage_.loops.end(), is_given);
}

/// Loops that index every written tensor: iterations of others would meet on one element.
bool PlanForms::may_be_parallel(int loop) const {
  const LoopModel& own = stage_.loops[at(loop)];
  if (own.extent <= 1 || (own.tiling == Tiling::Inside && !own.is_whole)) return false;
  return std::all_of(stage_.tensors.begin(), stage_.tensors.end(), [&](const TensorModel& t) {
    return t.direction == AccessDirection::Read || depends(t, loop);
  });
}

/// Gives cores parts of so many iterations of a loop.
void PlanForms::run_in_parts(NestPlan& plan, int loop, std::int64_t part) const {
  plan.cuts[at(loop)].part = part;
  plan.cuts[at(loop)].tile = stage_.loops[at(loop)].tiling == Tiling::Outside ? 1 : part;
  plan.grid[plan.parallel.size()] = parts_of(stage_, plan, loop);
  plan.parallel.push_back(loop);
}

/// Longer parts than the shortest, too, though fewer cores have one then: their blocks are longer.
std::vector<NestPlan> PlanForms::on_numbered_cores(int loop) const {
  const std::int64_t extent = stage_.loops[at(loop)].extent;
  const std::int64_t least = ceil_div(extent, in_.target->cores.count);
  const std::int64_t lanes = in_.body->lanes;
  Sizes parts;
  for (std::int64_t part = least; part < std::max(extent, least + 1) && part <= 8 * least;
       part *= 2) {
    parts.push_back(part);
    parts.push_back(std::min(extent, ceil_div(part, lanes) * lanes));
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::vector<NestPlan> out;
  for (const std::int64_t part : parts) run_in_parts(out.emplace_back(whole()), loop, part);
  return out;
}

NestPlan PlanForms::on_mesh(int on_rows, int on_columns) const {
  const Cores& cores = in_.target->cores;
  NestPlan out = whole();
  run_in_parts(out, on_rows, ceil_div(stage_.loops[at(on_rows)].extent, cores.mesh_rows));
  run_in_parts(out, on_columns, ceil_div(stage_.loops[at(on_columns)].extent, cores.mesh_columns));
  return out;
}

/// Several rows have one part of the first loop, and parts of the second one are on them and on the
/// columns: 13 lines and 384 filters on 8 x 8 cores as 7 lines and 12 filters, where 2 lines and 48
/// filters leave a row idle. Where that is less work than to have each loop along one side.
std::vector<NestPlan> PlanForms::on_several_rows(int first, int second) const {
  const Cores& cores = in_.target->cores;
  const std::int64_t extents[] = {stage_.loops[at(first)].extent, stage_.loops[at(second)].extent};
  const auto work = [&](std::int64_t rows) {
    return ceil_div(extents[0], cores.mesh_rows / rows) *
           ceil_div(extents[1], cores.mesh_columns * rows);
  };
  std::vector<NestPlan> out;
  std::int64_t least = work(1);
  for (std::int64_t rows = 2; rows < cores.mesh_rows; ++rows) {
    const bool is_even =
        cores.mesh_rows % rows == 0 && extents[1] % (cores.mesh_columns * rows) == 0;
    if (!is_even || work(rows) >= least) continue;
    least = work(rows);
    NestPlan& plan = out.emplace_back(whole());
    plan.rows_of_part = rows;
    run_in_parts(plan, first, ceil_div(extents[0], cores.mesh_rows / rows));
    run_in_parts(plan, second, extents[1] / (cores.mesh_columns * rows));
  }
  return out;
}

bool PlanForms::has_marks() const {
  return std::any_of(stage_.loops.begin(), stage_.loops.end(),
                     [](const LoopModel& loop) { return loop.is_parallel; });
}

void PlanForms::keep_marks(NestPlan& plan) const {
  const Cores& cores = in_.target->cores;
  const auto marks = std::count_if(stage_.loops.begin(), stage_.loops.end(),
                                   [](const LoopModel& loop) { return loop.is_parallel; });
  for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
    const LoopModel& loop = stage_.loops[at(k)];
    if (!loop.is_parallel) continue;
    const std::int64_t along = plan.parallel.empty() ? cores.mesh_rows : cores.mesh_columns;
    const std::int64_t all = loop.cores > 0 ? loop.cores : marks == 1 ? cores.count : along;
    run_in_parts(plan, k, 1);
    plan.grid[plan.parallel.size() - 1] = std::min(loop.extent, all);
    plan.outer.erase(std::remove(plan.outer.begin(), plan.outer.end(), k), plan.outer.end());
  }
}

std::vector<NestPlan> PlanForms::parallel_forms() const {
  if (has_marks()) {
    NestPlan out = whole();
    keep_marks(out);
    return {out};
  }
  const Cores& cores = in_.target->cores;
  const bool has_mesh = cores.mesh_rows > 0 && cores.mesh_columns > 0;
  std::vector<NestPlan> out;
  for (const int a : spatial_) {
    if (!may_be_parallel(a) || (means_.keeps_order && a > 0)) continue;
    if (cores.count > 1) out = joined(std::move(out), on_numbered_cores(a));
    for (const int b : spatial_) {
      if (b <= a || !has_mesh || !may_be_parallel(b) || (means_.keeps_order && b > 1)) continue;
      out.push_back(on_mesh(a, b));
    }
  }
  out.push_back(whole());
  return out;
}

std::vector<NestPlan> PlanForms::forms_on_several_rows() const {
  std::vector<NestPlan> out;
  if (in_.target->cores.mesh_rows == 0 || in_.target->cores.mesh_columns == 0) return out;
  if (has_marks() || means_.keeps_order) return out;
  for (const int first : spatial_) {
    for (const int second : spatial_) {
      if (first == second || !may_be_parallel(first) || !may_be_parallel(second)) continue;
      out = joined(std::move(out), on_several_rows(first, second));
    }
  }
  return out;
}

/// What registers hold: the forms with the least computing per element, of each vector loop.
std::vector<NestPlan> PlanForms::held_forms(const NestPlan& cores) const {
  std::vector<NestPlan> out;
  for (int vector = -1; vector < static_cast<int>(stage_.loops.size()); ++vector) {
    if (!may_be_lanes(vector)) continue;
    const bool is_across = vector >= 0 && may_run_across(vector);
    if (vector >= 0 && !is_across && !may_run_in_vectors(vector)) continue;
    Counted forms;
    NestPlan plan = cores;
    plan.vector = vector;
    if (is_across) {
      add_across(plan, forms);
    } else {
      add_held(plan, 0, forms);
    }
    std::sort(forms.begin(), forms.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < std::min(kHeldForms, forms.size()); ++k) {
      out.push_back(std::move(forms[k].second));
    }
  }
  return out;
}

bool PlanForms::may_run_in_vectors(int loop) const {
  if (in_.body->lanes <= 1 || stage_.loops[at(loop)].extent < in_.body->lanes) return false;
  if (!means_.may_tile(loop) || stage_.loops[at(loop)].tiling == Tiling::Outside) return false;
  if (stage_.loops[at(loop)].kind != dsl::AxisKind::Spatial) return false;
  return std::all_of(stage_.tensors.begin(), stage_.tensors.end(), [&](const TensorModel& t) {
    return t.direction == AccessDirection::Read || lane_access(t, loop) == LaneAccess::Contiguous;
  });
}

/// A loop of a reduction into elements that it does not move, along which operands lie side by
/// side.
bool PlanForms::may_run_across(int loop) const {
  const BodyModel& body = *in_.body;
  if (body.lanes <= 1 || !body.is_reduction || !body.statements.empty()) return false;
  const LoopModel& own = stage_.loops[at(loop)];
  const std::int64_t lanes = body.lanes;
  const bool may_be_cut = own.tiling == Tiling::Free || own.held == HeldBy::Vectors;
  if (own.kind != dsl::AxisKind::Reduce || !may_be_cut || own.extent < 2 * lanes) return false;
  bool has_vectors = false;
  for (const TensorModel& t : stage_.tensors) {
    const LaneAccess access = lane_access(t, loop);
    if (t.direction != AccessDirection::Read && depends(t, loop)) return false;
    if (access == LaneAccess::Gathered) return false;
    has_vectors = has_vectors || access == LaneAccess::Contiguous;
  }
  return has_vectors;
}

/// Strips of a reduction in whole vectors; the loop as it is where it has no such part.
void PlanForms::add_across(NestPlan& plan, Counted& out) const {
  LoopCut& cut = plan.cuts[at(plan.vector)];
  Sizes sizes;
  const std::int64_t lanes = in_.body->lanes;
  for (const std::int64_t n : divisors(cut.part, lanes)) {
    if (n >= 2 * lanes) sizes.push_back(n);
  }
  if (sizes.empty() || least_held(plan.vector) > 1) sizes = {cut.part};
  for (const std::int64_t held : thinned(sizes, kHeldForms)) {
    cut.held = held;
    add_form(plan, /*is_unrolled=*/false, out);
  }
  cut.held = least_held(plan.vector);
}

Sizes PlanForms::held_sizes(const NestPlan& plan, int loop) const {
  const std::int64_t part = plan.cuts[at(loop)].part;
  const std::int64_t extent = stage_.loops[at(loop)].extent;
  if (stage_.loops[at(loop)].held != HeldBy::Nobody) return {extent};
  Sizes out;
  if (loop == plan.vector) {
    const std::int64_t lanes = in_.body->lanes;
    if (in_.body->cuts_rows) return part >= lanes && part == extent ? Sizes{part} : Sizes{};
    for (std::int64_t n = lanes; n <= 4 * lanes; n += lanes) {
      if (part % n == 0 && extent % n == 0) out.push_back(n);
    }
    if (out.empty() && part >= lanes) out.push_back(part);  // with a remainder
    return out;
  }
  out.push_back(1);
  const bool is_outside = stage_.loops[at(loop)].tiling == Tiling::Outside;
  if (!in_.body->is_reduction || !means_.may_tile(loop) || is_outside) return out;
  for (std::int64_t n = 2; n <= 16; ++n) {
    if (part % n == 0 && extent % n == 0) out.push_back(n);
  }
  return out;
}

void PlanForms::add_held(NestPlan& plan, std::size_t next, Counted& out) const {
  if (next == spatial_.size()) {
    unroll_reduction(plan, out);
    return;
  }
  const int loop = spatial_[next];
  for (const std::int64_t held : held_sizes(plan, loop)) {
    plan.cuts[at(loop)].held = held;
    add_held(plan, next + 1, out);
  }
  plan.cuts[at(loop)].held = least_held(loop);
}

/// Whether instructions reach what all copies of a step read from one address: else each has
/// addresses of its own, in registers that the sums need.
bool PlanForms::are_near(const NestPlan& plan, int loop, std::int64_t copies) const {
  const Tiles tiles = tiles_of(plan);
  return std::all_of(stage_.tensors.begin(), stage_.tensors.end(), [&](const TensorModel& tensor) {
    const std::int64_t step = stride_elems(tensor, loop, tiles) * tensor.element_bytes;
    return step * (copies - 1) <= kReachBytes;
  });
}

/// Into how many copies of a step the innermost loop of a reduction is unrolled at most. More of a
/// product gain little. Of other sums, and where lanes of a product are gathered, the code of more
/// than two, or of a loop of several, would be longer than what it gains; nor do more than two of a
/// product with one such loop gain where offsets are short, as addresses are added to.
std::int64_t PlanForms::most_copies(const NestPlan& plan, std::size_t reductions) const {
  const auto& tensors = stage_.tensors;
  const bool is_gathered =
      plan.vector >= 0 && std::any_of(tensors.begin(), tensors.end(), [&](const TensorModel& t) {
        return lane_access(t, plan.vector) == LaneAccess::Gathered;
      });
  const bool is_product = in_.body->is_product && !is_gathered && reductions > 0;
  const bool has_offsets = !in_.target->timing || in_.target->timing->shared_registers > 0;
  if (is_product && (has_offsets || reductions > 1)) return kMostCopies;
  return reductions == 1 ? 2 : 1;
}

/// The loops of a reduction as they are, and the innermost one unrolled.
void PlanForms::unroll_reduction(NestPlan& plan, Counted& out) const {
  Counted found;
  add_form(plan, /*is_unrolled=*/false, found);
  const std::vector<int> terms = reduction_order(stage_, plan);
  const bool is_product = in_.body->is_product;
  std::int64_t terms_of_sum = 1;
  for (const int k : terms) terms_of_sum *= stage_.loops[at(k)].extent;
  const std::int64_t most = most_copies(plan, terms.size());
  for (std::int64_t times = 2; times <= most; ++times) {
    const int loop = terms.back();
    const LoopModel& own = stage_.loops[at(loop)];
    const bool is_free =
        own.tiling != Tiling::Outside && own.held == HeldBy::Nobody && means_.may_tile(loop);
    if (!is_free || own.extent % times != 0) continue;
    if (is_product && (!are_near(plan, loop, times) || terms_of_sum < times * kFewRounds)) continue;
    plan.cuts[at(loop)].held = times;
    add_form(plan, /*is_unrolled=*/true, found);
    plan.cuts[at(loop)].held = 1;
  }
  if (is_product && !found.empty()) {  // copies gain as much whatever the tiles are
    std::size_t best = 0;
    for (std::size_t k = 1; k < found.size(); ++k) {
      if (found[k].first < kGainOfCopies * found[best].first) best = k;
    }
    found = {std::move(found[best])};
  }
  std::move(found.begin(), found.end(), std::back_inserter(out));
}

void PlanForms::add_form(const NestPlan& plan, bool is_unrolled, Counted& out) const {
  const bool is_held = held_vectors(stage_, *in_.body, plan, *in_.target) > 0;
  if (is_unrolled && !is_held) return;
  if (!is_held && !only_vector_held(plan)) return;
  out.emplace_back(compute_cycles(stage_, *in_.body, plan, *in_.target), plan);
}

/// Whether registers hold no more than a vector, and what the user gave them.
bool PlanForms::only_vector_held(const NestPlan& plan) const {
  for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
    if (k != plan.vector && plan.cuts[at(k)].held != least_held(k)) return false;
  }
  return true;
}

std::vector<NestPlan> PlanForms::micro_kernel_forms(const NestPlan& cores) const {
  std::vector<NestPlan> out;
  const auto is_given = [](const LoopModel& loop) { return loop.held != HeldBy::Nobody; };
  if (std::any_of(stage_.loops.begin(), stage_.loops.end(), is_given)) return out;
  for (const ProductForm& form : products_) {
    if (means_.keeps_order && !form.windows.empty()) continue;  // they stand inside of other loops
    NestPlan plan = cores;
    plan.micro_kernel = form;
    if (fits_micro_kernel(stage_, smallest(plan), form)) out.push_back(std::move(plan));
  }
  return out;
}

/// The plan with the smallest tiles.
NestPlan PlanForms::smallest(NestPlan plan) const {
  for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
    const Sizes sizes = tile_sizes(plan, k);
    if (!sizes.empty()) plan.cuts[at(k)].tile = sizes.front();
  }
  return plan;
}

Sizes PlanForms::tile_sizes(const NestPlan& plan, int loop) const {
  const LoopCut& cut = plan.cuts[at(loop)];
  const bool is_reduce = stage_.loops[at(loop)].kind == dsl::AxisKind::Reduce;
  if (stage_.loops[at(loop)].tiling == Tiling::Inside) return {cut.part};
  if (stage_.loops[at(loop)].tiling == Tiling::Outside) return {1};
  if (!means_.may_tile(loop)) return {1};
  if (plan.micro_kernel && is_window(*plan.micro_kernel, loop)) return {1};
  if (is_reduce && cut.part <= kWholeReduction) return {cut.part};
  if (plan.micro_kernel && is_multiplied(*plan.micro_kernel, loop)) {
    const std::int64_t unit = loop == plan.micro_kernel->columns ? in_.body->lanes : 1;
    return thinned(divisors(cut.part, unit), kMultipliedSizes);
  }
  Sizes out = divisors(cut.part, cut.held);
  for (std::int64_t n = cut.held; n < cut.part; n *= 2) {
    if (is_reduce || (!in_.body->is_reduction && out.size() < 4)) out.push_back(n);
  }
  return thinned(out, kTileSizes);
}

}  // namespace solway::memory_planner
