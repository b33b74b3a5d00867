#include "memory_planner/landing.h"

#include <cstddef>

#include "memory_planner/extract_stage.h"

namespace solway::memory_planner {
namespace {

// Of generated code, by the emulator's clock.
constexpr double kVectorCycles = 12;  // elements that lie apart, put together and stored
constexpr double kElementCycles = 6;  // of those that fill no vector
constexpr double kRowCycles = 4;      // a round of the loop over vectors side by side

/// Whether two dimensions are one: the same loop alone moves both, by one, or both have one
/// element.
bool is_one(const DimModel& a, const DimModel& b) {
  const auto is_plain = [](const DimModel& dim) {
    return dim.base == 1 &&
           (dim.terms.empty() || (dim.terms.size() == 1 && dim.terms[0].growth == 1));
  };
  return is_plain(a) && is_plain(b) && a.terms == b.terms;
}

std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace

std::optional<Landing> landing_of(const schedule::State& state, const std::string& stage) {
  const auto found = state.program->statements.find(stage);
  if (found == state.program->statements.end() || !found->second.is_layout_copy()) {
    return std::nullopt;
  }
  const PlannedStage copy = extract_stage(state, stage);
  if (!is_free(copy) || copy.model.tensors.size() != 2) return std::nullopt;
  const TensorModel& from = copy.model.tensors[0];
  const TensorModel& to = copy.model.tensors[1];
  if (to.direction != AccessDirection::Write || from.dims.size() != to.dims.size()) {
    return std::nullopt;
  }
  Landing out{from.name, {}};
  std::vector<bool> is_taken(to.dims.size(), false);
  for (const DimModel& dim : from.dims) {
    std::size_t same = 0;
    while (same < to.dims.size() && (is_taken[same] || !is_one(dim, to.dims[same]))) ++same;
    if (same == to.dims.size()) return std::nullopt;
    is_taken[same] = true;
    out.turned.push_back(static_cast<int>(same));
  }
  return out;
}

TensorModel in_memory(const TensorModel& tensor) {
  TensorModel out = tensor;
  if (!tensor.landing) return out;
  out.landing.reset();
  for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
    out.dims[k] = tensor.dims[at(tensor.landing->turned[k])];
  }
  return out;
}

std::vector<std::int64_t> shape_in_memory(const TensorModel& tensor,
                                          const std::vector<std::int64_t>& shape) {
  if (!tensor.landing) return shape;
  std::vector<std::int64_t> out;
  for (const int dim : tensor.landing->turned) out.push_back(shape[at(dim)]);
  return out;
}

double turn_cycles(const TensorModel& tensor, const Tiles& tiles, int lanes) {
  double rows = 1;
  for (std::size_t k = 0; k + 1 < tensor.dims.size(); ++k) {
    rows *= static_cast<double>(footprint_elems(tensor.dims[k], tiles));
  }
  const std::int64_t side_by_side = footprint_elems(tensor.dims.back(), tiles);
  const std::int64_t vectors = lanes > 1 ? side_by_side / lanes : 0;
  const std::int64_t rest = side_by_side - vectors * lanes;
  return rows * (kRowCycles + static_cast<double>(vectors) * kVectorCycles +
                 static_cast<double>(rest) * kElementCycles);
}

}  // namespace solway::memory_planner
