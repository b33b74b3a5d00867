#include "memory_planner/sliding_cost.h"

#include <algorithm>

#include "memory_planner/plan_cost.h"

namespace solway::memory_planner {
namespace {

// Of generated code, by the emulator's clock.
constexpr double kLineCycles = 4;      // a round of the loop over lines
constexpr double kVectorCycles = 3.4;  // a vector that is loaded and stored
constexpr double kElementCycles = 2.5;
constexpr std::int64_t kMostMoves = 22;  // of an element: see sliding_window

std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace

std::optional<TileOverlap> tile_overlap(const StageModel& stage, const NestPlan& plan, int tensor) {
  const TensorModel& model = stage.tensors[at(tensor)];
  const bool is_own = model.direction == AccessDirection::Read && !model.is_local &&
                      !model.is_epilogue && model.elsewhere.empty() && !model.turning;
  if (!is_own || shared_by(plan, tensor) != schedule::SharedBy::Core) return std::nullopt;
  const int around = loops_around(stage, plan, tensor);
  if (around == 0) return std::nullopt;
  TileOverlap out;
  out.loop = plan.outer[at(around - 1)];
  // The tile's, not the part: transfers stand inside of this loop.
  const std::int64_t tile = plan.cuts[at(out.loop)].tile;
  int moving = 0;
  for (std::size_t d = 0; d < model.dims.size(); ++d) {
    std::int64_t step = 0;
    for (const IndexTerm& term : model.dims[d].terms) {
      if (term.loop == out.loop) step += term.growth * tile;
    }
    if (step == 0) continue;
    ++moving;
    const std::int64_t size = footprint_elems(model.dims[d], plan, tensor);
    out.dim = d;
    out.shared = size - step;
    if ((size - 1) / step > kMostMoves) return std::nullopt;
  }
  if (moving != 1 || out.shared <= 0) return std::nullopt;
  return out;
}

TensorModel fresh_part(const TensorModel& tensor, const TileOverlap& overlap) {
  TensorModel out = tensor;
  out.dims[overlap.dim].base -= overlap.shared;
  return out;
}

double slide_cycles(const TensorModel& tensor, const TileOverlap& overlap, const Tiles& tiles,
                    const Target& target) {
  double lines = 1;
  double line = 1;
  const std::size_t last = tensor.dims.size() - 1;
  for (std::size_t d = 0; d <= last; ++d) {
    const auto elems = static_cast<double>(
        d == overlap.dim ? overlap.shared : footprint_elems(tensor.dims[d], tiles));
    (d == last ? line : lines) *= elems;
  }
  const DType type = tensor.element_bytes == 8 ? DType::Float64 : DType::Float32;
  const std::int64_t lanes = tensor.element_bytes < 4 ? 1 : target.lanes(type);
  const auto elements = static_cast<std::int64_t>(line);
  if (lanes <= 1 || overlap.dim == last) return lines * (kLineCycles + line * kElementCycles);
  const std::int64_t vectors = elements / lanes;
  return lines * (kLineCycles + static_cast<double>(vectors) * kVectorCycles +
                  static_cast<double>(elements % lanes) * kElementCycles);
}

}  // namespace solway::memory_planner
