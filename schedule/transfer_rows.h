#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <isl/cpp.h>

#include "schedule/program.h"

/// Transfers of what is no box: a triangle, a band, a trapezoid. Each of its rows is one.
///
///   C[i, j] for 0 <= i < 8, 0 <= j <= i     rows along dimension 0, of 1, 2, ... 8 elements
namespace solway::schedule {

/// Dimensions of the buffer, outermost first, that tell apart rows of which each is a box and which
/// follow each other without gaps; as few as there need to be, and the innermost one last of all.
/// None when all elements together are a box; nullopt when there are no such dimensions. `cells` is
/// { S[position] -> B[cell] }, of one region of the buffer.
std::optional<std::vector<int>> row_dims_of(const isl::map& cells);

/// Whether `rows` are such dimensions, be they as few as there need to be or not.
bool are_rows(const isl::map& cells, const std::vector<int>& rows);

/// The cells of a transfer { S[position] -> B[cell] }, in its region: without slots.
isl::map cells_in_region(const Copy& copy, const Buffer& buffer);

/// The boxes that a transfer with Copy::rows moves. Functions of [position..] and of [position..,
/// index along each dimension of Copy::rows..].
struct TransferRows {
  struct Range {
    isl::pw_aff begin, end;  ///< of the position and the indices before this one
  };
  std::vector<Range> ranges;     ///< of the indices along each dimension of Copy::rows
  isl::multi_pw_aff first;       ///< the element at the lowest corner of a row, per dimension of T
  isl::multi_pw_aff count;       ///< the elements of a row, per dimension of T: 1 and more
  isl::multi_pw_aff near_first;  ///< the cell of that corner in its region
  isl::set whole;                ///< { S[position] } where all rows together are a box
};

/// Needs: Copy::rows, of a buffer without panels.
TransferRows rows_of(const Copy& copy, const Buffer& buffer);

}  // namespace solway::schedule
