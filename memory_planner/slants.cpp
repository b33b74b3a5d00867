#include "memory_planner/slants.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using Ends = std::array<std::int64_t, 2>;

/// The first and the last value of each dimension; empty where one has no bound.
std::vector<Ends> ends_of(const isl::set& elements) {
  std::vector<Ends> out;
  for (int dim = 0; dim < isl_ext::dim_count(elements, isl_ext::Dim::Range); ++dim) {
    const auto low = isl_ext::try_dim_min(elements, dim);
    const auto high = isl_ext::try_dim_max(elements, dim);
    if (!low || !high) return {};
    out.push_back({*low, *high});
  }
  return out;
}

/// Corners of the box around two dimensions in which no element lies.
int missing_corners(const isl::set& elements, const Slant& slant, const Ends& outer,
                    const Ends& inner) {
  int out = 0;
  for (const std::int64_t row : outer) {
    const isl::set there = isl_ext::fix(elements, slant.outer, row);
    for (const std::int64_t column : inner) {
      if (isl_ext::fix(there, slant.inner, column).is_empty()) ++out;
    }
  }
  return out;
}

}  // namespace

std::vector<Slant> slants_of(const isl::set& elements) {
  std::vector<Slant> out;
  const auto ends = ends_of(elements);
  for (std::size_t a = 0; a < ends.size(); ++a) {
    for (std::size_t b = a + 1; b < ends.size(); ++b) {
      Slant slant{static_cast<int>(a), static_cast<int>(b), 0};
      slant.sides = missing_corners(elements, slant, ends[a], ends[b]);
      if (slant.sides > 0) out.push_back(slant);
    }
  }
  return out;
}

namespace {

/// Of all tiles, those that the sides between two dimensions cut.
double cut_by(const TensorModel& tensor, const Slant& slant, const Tiles& tiles) {
  double most = 0;
  for (const int end : {slant.outer, slant.inner}) {
    const DimModel& dim = tensor.dims[static_cast<std::size_t>(end)];
    const std::int64_t elems = footprint_elems(dim, tiles);
    if (elems <= 1) return 0;  // one row, which is a box
    most = std::max(most, static_cast<double>(elems) / static_cast<double>(dim.extent));
  }
  return std::min(1.0, slant.sides * most);
}

/// Of a core's rows, or columns, what lies in one tile in registers; 0 for tiles of one element,
/// which nothing cuts.
double part_of_rows(const TensorModel& tensor, const Slant& slant, const Tiles& held,
                    const Tiles& mine) {
  double out = 0;
  for (const int end : {slant.outer, slant.inner}) {
    const DimModel& dim = tensor.dims[static_cast<std::size_t>(end)];
    const std::int64_t elems = footprint_elems(dim, held);
    if (elems == 1) continue;
    const std::int64_t all = std::max<std::int64_t>(1, footprint_elems(dim, mine));
    out = std::max(out, static_cast<double>(elems) / static_cast<double>(all));
  }
  return std::min(1.0, out);
}

/// Whether a core has a part of both dimensions.
bool is_square(const TensorModel& tensor, const Slant& slant, const Tiles& mine) {
  const auto is_part = [&](int end) {
    const DimModel& dim = tensor.dims[static_cast<std::size_t>(end)];
    return footprint_elems(dim, mine) < dim.extent;
  };
  return is_part(slant.outer) && is_part(slant.inner);
}

}  // namespace

SlantCost slant_cost(const TensorModel& tensor, const Tiles& tiles) {
  SlantCost out;
  double whole = 1;  // how many of the tiles no side cuts
  int innermost = 0;
  for (const Slant& slant : tensor.slants) {
    const double cut = cut_by(tensor, slant, tiles);
    if (cut == 0) continue;
    whole *= 1 - cut;
    innermost = std::max(innermost, slant.inner);
  }
  out.cut = 1 - whole;
  out.rows = 1;
  for (int dim = 0; dim < innermost; ++dim) {
    out.rows *=
        static_cast<double>(footprint_elems(tensor.dims[static_cast<std::size_t>(dim)], tiles));
  }
  return out;
}

CutShare cut_share(const StageModel& stage, const Tiles& held, const Tiles& mine) {
  CutShare out;
  for (const TensorModel& tensor : stage.tensors) {
    for (const Slant& slant : tensor.slants) {
      const double part = part_of_rows(tensor, slant, held, mine);
      if (part == 0) continue;
      const double filled = is_square(tensor, slant, mine) ? 0.5 : 1;
      const double cut = slant.sides == 1 ? part / 2 : filled;
      if (cut > out.cut) out = {filled, cut};
    }
  }
  return out;
}

}  // namespace solway::memory_planner
