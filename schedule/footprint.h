#pragma once

#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/position.h"
#include "schedule/region.h"
#include "schedule/state.h"

/// What the instances at one position of the schedule touch of a tensor.
namespace solway::schedule {

/// The elements that one position touches, in a box whose size is the same at every position. Along
/// a dimension of which every second element is touched, or every third, the box has only those.
struct Footprint {
  isl::map box;           ///< { [position] -> T[element] }: the smallest box around what is touched
  isl::multi_aff offset;  ///< { [position] -> T[element] }: where the constant box starts
  std::vector<std::int64_t> sizes;    ///< of the constant box, per dimension of T, holes included
  std::vector<std::int64_t> strides;  ///< per dimension of T, from one element to the next
  isl::multi_aff origin;              ///< { [position] -> T[element] }: all are steps from it
  std::vector<BufferDim> dims;        ///< of a buffer of it
  /// { [position] -> [cells] }: how far inside of its rows the buffer begins, see whole_units.h;
  /// nullopt: not at all.
  std::optional<isl::pw_aff> lead;
};

/// Along which dimensions a box leaves out the holes between elements at one distance. Rows of a
/// tensor that are read are read whole: what lies between costs less than a transfer per element.
enum class Holes : std::uint8_t { Kept, LeftOutButInRows, LeftOut };

/// { [position] -> T[element] } of one access.
isl::map per_position(const Access& access, const Position& position);

/// { [position] -> T[element] }: for each position the smallest box around the elements of `map`.
isl::map box_around(const isl::map& map);

/// The footprint `touched` { [position] -> T[element] }. Throws as make_footprint.
Footprint footprint_of(const isl::map& touched, const std::string& request,
                       const std::vector<bool>& kept, const SourceLoc& where);

/// The footprint of all accesses together. The buffer has the dimensions of more than one element
/// and those that `kept` says. Throws UnsupportedError when no box of constant size is found.
Footprint make_footprint(const std::string& request, const std::vector<Access>& accesses,
                         const Position& position, const std::vector<bool>& kept,
                         const SourceLoc& where, Holes holes = Holes::Kept);

/// The smallest box around the elements of `map` { [position] -> T[element] }, with the holes that
/// `footprint` leaves out.
isl::map box_around(const isl::map& map, const Footprint& footprint);

/// { S -> buffer[cell] } of the elements `index` { S -> T[element] }, S standing at `position`
/// { S -> [position] }.
isl::multi_pw_aff cell_of(const Footprint& footprint, const isl::multi_pw_aff& index,
                          const isl::multi_pw_aff& position, const std::string& buffer);

/// What a transfer is to move.
struct Moved {
  isl::map box;                ///< { [position] -> T[element] }: the smallest box around it
  isl::map elements = {};      ///< where it is no box: exactly what moves; null: the box
  std::vector<int> rows = {};  ///< then, Copy::rows
};

/// A statement `name` that moves elements between a tensor and the buffer; its kind and place are
/// the caller's to set.
Statement transfer_statement(const Buffer& buffer, const Footprint& footprint, const Moved& moved,
                             const std::string& name, CopyDirection direction);

/// { [position] -> B[cell] } of the elements `moved` { [position] -> T[element] }.
isl::map cells_of(const Footprint& footprint, const isl::map& moved, const std::string& buffer);

}  // namespace solway::schedule
