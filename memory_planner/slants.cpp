#include "memory_planner/slants.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

/// Of generated code, by the emulator's clock: products below a diagonal, 512 x 512 x 512, of which
/// all tiles were computed as those that are cut, took 14.9 million cycles, else 2.4.
constexpr double kSlowerWhereCut = 7;
/// The share of the box around them that elements take: about half where they lack one corner, a
/// triangle. Where they lack several it may be a narrow band, of which hardly a tile is whole.
double share_of(const Slant& slant) { return slant.sides == 1 ? 0.5 : 0; }

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

double slant_factor(const StageModel& stage, const Tiles& held) {
  // Registers hold one result at a time: rows of any length are all the same.
  if (std::all_of(held.begin(), held.end(), [](std::int64_t one) { return one == 1; })) return 1;
  double out = 1;
  for (const TensorModel& tensor : stage.tensors) {
    double whole = 1;
    for (const Slant& slant : tensor.slants) {
      const double cut = cut_by(tensor, slant, held);
      if (cut == 0) continue;
      // A side leaves half of the tiles' elements that it cuts.
      whole *= 1 - std::min(1.0, cut / (share_of(slant) + cut / 2));
    }
    out = std::max(out, whole + (1 - whole) * kSlowerWhereCut);
  }
  return out;
}

}  // namespace solway::memory_planner
