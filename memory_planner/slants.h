#pragma once

#include <vector>

#include <isl/cpp.h>

#include "memory_planner/stage_model.h"

/// Tiles of what is no box: a triangle, a band. Those on its slanted sides are stored row by row
/// (schedule/transfer_rows.h).
namespace solway::memory_planner {

/// The pairs of dimensions of a set { T[element] } whose indices bound each other: of the smallest
/// box around their values not all four corners are there.
///
///   { C[i, j] : 0 <= j <= i < 8 }     one side between dimensions 0 and 1
std::vector<Slant> slants_of(const isl::set& elements);

/// The transfers of tiles that slanted sides cut.
struct SlantCost {
  double cut = 0;   ///< how many of the tiles they cut
  double rows = 0;  ///< requests of one of these
};

/// A line from one corner of a tensor to another one goes through as many tiles as there are along
/// the dimension that has more of them. Rows are those of all dimensions but the innermost of each
/// pair and what is inside of it.
SlantCost slant_cost(const TensorModel& tensor, const Tiles& tiles);

/// What the core computes that slanted sides keep busiest, of the box around what it computes.
struct CutShare {
  double filled = 1;  ///< all of it
  double cut = 0;     ///< in tiles that registers hold and that sides cut
};

/// Of tiles that registers hold, `held` iterations of each loop, of which a core runs `mine`. One
/// side cuts the last tile of a row, half of it on average; of a band, which lacks several corners
/// of the box around it, hardly a tile may be whole. Where cores have parts of rows, the diagonal
/// leaves half of some core's box.
CutShare cut_share(const StageModel& stage, const Tiles& held, const Tiles& mine);

}  // namespace solway::memory_planner
