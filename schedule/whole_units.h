#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// Buffers that a transfer may fill in whole units: engines move multiples of some bytes, from
/// addresses that are multiples of them. Each element lies as far from the begin of a unit as in
/// main memory, and what a unit has of a row's neighbours finds room beside the row:
///
///   main memory, rows of 7, units of 4:   ...a|bcde|f..    a row from a to f, 3 into its unit
///   buffer:                            [0]  3 |4567|8..11  cells of it; the transfer fills 0 to 11
namespace solway::schedule {

/// Where rows begin within a unit: first, first + step, ...; a step of 0: all of them at `first`.
struct UnitLeads {
  std::int64_t first = 0;
  std::int64_t step = 0;

  bool operator==(const UnitLeads&) const = default;
};

/// What rows hold of a tensor, in elements.
struct UnitRows {
  std::vector<std::int64_t> sizes;    ///< per dimension of the buffer; the last is a row
  std::vector<std::int64_t> strides;  ///< in main memory, of each; the last is 1
  UnitLeads leads;                    ///< of the first row, at all positions
};

/// The extents of a buffer that has room for whole units around each of its rows, in which all rows
/// lie within units as in main memory: neighbours along each dimension are as far apart as there,
/// but for whole units, and so are regions that take turns. nullopt where no extents do that.
std::optional<std::vector<std::int64_t>> shape_in_units(const UnitRows& rows, std::int64_t unit);

/// Where all of its rows begin within a unit.
UnitLeads leads_of_rows(const UnitRows& rows, std::int64_t unit);

/// Elements of the whole units that a row of `elems` touches, the mean over where rows begin.
double elems_in_units(std::int64_t elems, const UnitLeads& leads, std::int64_t unit);

}  // namespace solway::schedule
