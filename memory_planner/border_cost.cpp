#include "memory_planner/border_cost.h"

#include <algorithm>
#include <cstddef>

namespace solway::memory_planner {
namespace {

// Of generated code, by the emulator's clock.
constexpr double kCheckCycles = 10;  // to see that nothing of a dimension's border is there
constexpr double kRowCycles = 12;    // a round of the loop over rows
constexpr double kCellCycles = 4;    // a number that is stored
constexpr double kBorderEnds = 2;    // a border is at both ends of a dimension

/// Along one dimension, the share of regions that the border cuts off.
double cut_share(const StageModel& stage, const DimModel& dim, std::int64_t border,
                 const Tiles& tiles) {
  const std::int64_t before = (border + 1) / 2;
  double all = 1;
  std::vector<std::int64_t> begins = {0};  // of regions, those within the border
  for (const IndexTerm& term : dim.terms) {
    const auto loop = static_cast<std::size_t>(term.loop);
    const std::int64_t count = tile_count(stage, tiles, term.loop);
    all *= static_cast<double>(count);
    std::vector<std::int64_t> next;
    for (const std::int64_t begin : begins) {
      for (std::int64_t k = 0; k < count && begin + k * term.growth * tiles[loop] < before; ++k) {
        next.push_back(begin + k * term.growth * tiles[loop]);
      }
    }
    begins = std::move(next);
  }
  return std::min(1.0, kBorderEnds * static_cast<double>(begins.size()) / all);
}

}  // namespace

BorderCost border_cost(const StageModel& stage, const TensorModel& tensor,
                       const std::vector<std::int64_t>& sizes, const Tiles& tiles) {
  BorderCost out;
  double rows = 1;  // of the dimensions outside of the present one
  const std::size_t last = tensor.dims.size() - 1;
  for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
    const std::int64_t elems = footprint_elems(tensor.dims[k], tiles);
    if (tensor.border[k] > 0) {
      const bool is_all = elems > sizes[k] - tensor.border[k];
      const double share = is_all ? 1 : cut_share(stage, tensor.dims[k], tensor.border[k], tiles);
      const auto width = static_cast<double>(is_all ? elems - sizes[k] + tensor.border[k]
                                                    : (tensor.border[k] + 1) / 2);
      double inner = 1;
      for (std::size_t j = k + 1; j <= last; ++j) {
        inner *= static_cast<double>(footprint_elems(tensor.dims[j], tiles));
      }
      out.cycles += kCheckCycles + share * rows * (kRowCycles + width * inner * kCellCycles);
      if (k == last) out.cut = share;
    }
    rows *= static_cast<double>(elems);
  }
  return out;
}

}  // namespace solway::memory_planner
