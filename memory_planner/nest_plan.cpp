#include "memory_planner/nest_plan.h"

#include <algorithm>

#include "memory_planner/widened_cost.h"

namespace solway::memory_planner {
namespace {

/// Whether a step of `loop` moves an index as far as one of a loop whose results registers hold.
bool slides_over_held(const StageModel& stage, const NestPlan& plan, int loop) {
  const auto moves_as_far = [&](const DimModel& dim, const IndexTerm& own) {
    return std::any_of(dim.terms.begin(), dim.terms.end(), [&](const IndexTerm& other) {
      const bool is_held =
          other.loop != plan.vector &&
          stage.loops[static_cast<std::size_t>(other.loop)].kind == dsl::AxisKind::Spatial &&
          plan.cuts[static_cast<std::size_t>(other.loop)].held > 1;
      return is_held && other.growth == own.growth;
    });
  };
  return std::any_of(stage.tensors.begin(), stage.tensors.end(), [&](const TensorModel& tensor) {
    return std::any_of(tensor.dims.begin(), tensor.dims.end(), [&](const DimModel& dim) {
      return std::any_of(dim.terms.begin(), dim.terms.end(), [&](const IndexTerm& term) {
        return term.loop == loop && moves_as_far(dim, term);
      });
    });
  });
}

}  // namespace

Tiles tiles_of(const NestPlan& plan) {
  Tiles out;
  out.reserve(plan.cuts.size());
  for (const LoopCut& cut : plan.cuts) out.push_back(cut.tile);
  return out;
}

bool is_around_windows(const NestPlan& plan, int tensor, int loop) {
  return plan.micro_kernel && tensor == plan.micro_kernel->numbers &&
         is_window(*plan.micro_kernel, loop);
}

Tiles tiles_of(const NestPlan& plan, int tensor) {
  Tiles out = tiles_of(plan);
  for (int k = 0; k < static_cast<int>(out.size()); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (is_around_windows(plan, tensor, k)) out[at] = plan.cuts[at].part;
  }
  return out;
}

std::int64_t footprint_elems(const DimModel& dim, const NestPlan& plan, int tensor) {
  const bool has_windows = plan.micro_kernel && tensor == plan.micro_kernel->numbers &&
                           !plan.micro_kernel->windows.empty();
  std::int64_t elems = dim.base;
  for (const IndexTerm& term : dim.terms) {
    const LoopCut& cut = plan.cuts[static_cast<std::size_t>(term.loop)];
    const bool is_whole = has_windows && is_window(*plan.micro_kernel, term.loop);
    elems += term.growth * ((is_whole ? cut.part : cut.tile) - 1);
  }
  return std::min(elems, dim.extent);
}

std::int64_t tile_bytes(const StageModel& stage, const NestPlan& plan, int tensor) {
  const TensorModel& model = stage.tensors[static_cast<std::size_t>(tensor)];
  std::int64_t out = model.element_bytes;
  if (unit_of(plan, tensor) > 0) return out * widened_elems(stage, plan, tensor);
  for (const DimModel& dim : model.dims) out *= footprint_elems(dim, plan, tensor);
  return out;
}

std::int64_t buffer_bytes(const TensorModel& tensor, std::int64_t tile, int depth,
                          std::int64_t alignment_bytes) {
  if (depth == 0) return 0;
  const auto aligned = [&](std::int64_t size) {
    return (size + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  };
  return aligned(tile * depth) + (tensor.turning ? aligned(tile) : 0);
}

std::int64_t buffer_bytes(const StageModel& stage, const NestPlan& plan, int tensor, int depth,
                          std::int64_t alignment_bytes) {
  if (depth == 0) return 0;
  return buffer_bytes(stage.tensors[static_cast<std::size_t>(tensor)],
                      tile_bytes(stage, plan, tensor), depth, alignment_bytes);
}

std::int64_t buffer_bytes(const StageModel& stage, const NestPlan& plan,
                          std::int64_t alignment_bytes) {
  std::int64_t bytes = 0;
  for (std::size_t t = 0; t < stage.tensors.size(); ++t) {
    bytes += buffer_bytes(stage, plan, static_cast<int>(t), plan.depths[t], alignment_bytes);
  }
  return bytes;
}

schedule::SharedBy shared_by(const NestPlan& plan, int tensor) {
  return plan.shared.empty() ? schedule::SharedBy::Core
                             : plan.shared[static_cast<std::size_t>(tensor)];
}

bool is_sliding(const NestPlan& plan, int tensor) {
  return !plan.slides.empty() && plan.slides[static_cast<std::size_t>(tensor)];
}

bool is_across(const NestPlan& plan, int tensor) {
  return !plan.across.empty() && plan.across[static_cast<std::size_t>(tensor)];
}

bool is_late(const NestPlan& plan, int tensor) {
  return !plan.late.empty() && plan.late[static_cast<std::size_t>(tensor)];
}

std::int64_t unit_of(const NestPlan& plan, int tensor) {
  return plan.units.empty() ? 0 : plan.units[static_cast<std::size_t>(tensor)];
}

std::int64_t parts_of(const StageModel& stage, const NestPlan& plan, int loop) {
  const std::int64_t part = plan.cuts[static_cast<std::size_t>(loop)].part;
  return (stage.loops[static_cast<std::size_t>(loop)].extent + part - 1) / part;
}

std::array<std::int64_t, 2> mesh_of(const NestPlan& plan) {
  return {plan.grid[0] * plan.rows_of_part, plan.grid[1] / plan.rows_of_part};
}

std::int64_t busiest_extent(const StageModel& stage, const NestPlan& plan, int loop) {
  std::int64_t cores = 1;
  for (std::size_t p = 0; p < plan.parallel.size(); ++p) {
    if (plan.parallel[p] == loop) cores = plan.grid[p];
  }
  const std::int64_t parts = (parts_of(stage, plan, loop) + cores - 1) / cores;
  return std::min(stage.loops[static_cast<std::size_t>(loop)].extent,
                  parts * plan.cuts[static_cast<std::size_t>(loop)].part);
}

bool runs_across(const StageModel& stage, const NestPlan& plan) {
  return plan.vector >= 0 &&
         stage.loops[static_cast<std::size_t>(plan.vector)].kind == dsl::AxisKind::Reduce;
}

bool depends(const TensorModel& tensor, int loop) {
  return std::any_of(tensor.dims.begin(), tensor.dims.end(), [&](const DimModel& dim) {
    return std::any_of(dim.terms.begin(), dim.terms.end(),
                       [&](const IndexTerm& term) { return term.loop == loop; });
  });
}

std::vector<int> reduction_order(const StageModel& stage, const NestPlan& plan) {
  std::vector<int> out;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (stage.loops[static_cast<std::size_t>(k)].kind == dsl::AxisKind::Reduce) out.push_back(k);
  }
  if (plan.vector < 0 || runs_across(stage, plan)) return out;
  const auto others = std::stable_partition(
      out.begin(), out.end(), [&](int loop) { return slides_over_held(stage, plan, loop); });
  if (others == out.begin() || others == out.end()) return out;
  const auto is_shorter = [&](int a, int b) {
    return plan.cuts[static_cast<std::size_t>(a)].tile <
           plan.cuts[static_cast<std::size_t>(b)].tile;
  };
  const auto longest = std::max_element(others, out.end(), is_shorter);
  std::rotate(longest, longest + 1, out.end());
  return out;
}

}  // namespace solway::memory_planner
