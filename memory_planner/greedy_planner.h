#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// How a stage is to run. Positions name StageModel::loops.
struct StagePlan {
  TileChoice choice;
  int parallel = -1;       ///< the loop over tiles that runs on different cores; -1 without
  std::vector<int> outer;  ///< loops over tiles, outermost first; `parallel` behind `steps` of them
  std::vector<int> inner;  ///< loops inside the tile, in the order of the stage
  int steps = 0;           ///< loops around `parallel`, which all cores go through together
  int vector = -1;         ///< the innermost loop, if it runs in vectors; -1 without
};

/// The plan of Algorithms 1 and 2 for `cores` cores; 1 or less: nothing is parallel.
///
/// The cores share a loop over tiles of the written tensor (swTVM, Section 5.4): the one with the
/// most tiles, the highest dimension of a tie. When Algorithm 1 leaves fewer tiles than cores, a
/// loop on which all tensors depend gets smaller tiles, which moves not one byte more; and when it
/// leaves a single tile, the longest spatial loop is cut, one part for each core.
///
/// Algorithm 2 counts a partial sum once, though it is loaded and stored: loops over tiles of a
/// reduction stay innermost when that moves fewer bytes.
StagePlan plan_greedily(const StageModel& stage, const Room& room, int cores);

/// Bytes between main memory and the buffers for loops over tiles in this order, outermost first.
/// An output that its reduction leaves and comes back to is loaded and stored each time.
std::int64_t moved_bytes(const StageModel& stage, const Tiles& tiles,
                         const std::vector<int>& order);

}  // namespace solway::memory_planner
