#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// Transfers of all tensors, when the loops over tiles end, innermost, with `inner` (inner to
/// outer) and those that are not in it stand around them. A tensor is moved once per iteration of
/// the loops over tiles, less the innermost run of loops that it does not depend on: what it holds
/// is reused there.
std::int64_t transfer_count(const StageModel& stage, const Tiles& tiles,
                            const std::vector<int>& inner);

/// The first of `candidates` with the fewest transfers when it is the next loop around `inner`;
/// -1 when there is none.
///
/// Source: swTVM, Algorithm 2, SELECT.
int select_loop(const StageModel& stage, const Tiles& tiles, const std::vector<int>& inner,
                const std::vector<int>& candidates);

/// Where the loops over tiles of a reduction may stand.
enum class ReductionPlace : std::uint8_t {
  Anywhere,  ///< as the paper: partial sums may be stored and loaded again
  Innermost  ///< inside all loops over tiles of spatial loops: each element is stored once
};

/// The order of the loops over tiles, outermost first, that moves the fewest tiles: built from the
/// innermost outwards, ties leaving the order as it is. Loops inside the tile (one tile covers
/// them) are not in it; loops that the user put outside keep their order among themselves.
///
/// Source: swTVM, Algorithm 2, ReorderLoop.
std::vector<int> order_loops(const StageModel& stage, const Tiles& tiles, ReductionPlace place);

}  // namespace solway::memory_planner
