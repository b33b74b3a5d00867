#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// How a stage is to run. Positions name StageModel::loops.
struct StagePlan {
  TileChoice choice;
  std::vector<int> parallel;  ///< loops over tiles that run on different cores, as one loop
  std::vector<int> outer;     ///< loops over tiles, outermost first; `parallel` leads
  std::vector<int> inner;     ///< loops inside the tile, in the order of the stage
};

/// The plan of Algorithms 1 and 2 for `cores` cores; 1 or less: nothing is parallel.
///
/// The cores share the loops over tiles of the written tensor's highest dimensions, as many of
/// them as it takes to have a tile for each core (swTVM, Section 5.4). When Algorithm 1 leaves too
/// few tiles, loops on which all tensors depend get smaller tiles, which moves not one byte more;
/// and when it leaves a single one, the highest dimension is cut, one part for each core.
///
/// Algorithm 2 counts a partial sum once, though it is loaded and stored: loops over tiles of a
/// reduction stay innermost when that moves fewer bytes.
StagePlan plan_greedily(const StageModel& stage, const Room& room, int cores);

/// Bytes between main memory and the buffers for loops over tiles in this order, outermost first.
/// An output that its reduction leaves and comes back to is loaded and stored each time.
std::int64_t moved_bytes(const StageModel& stage, const Tiles& tiles,
                         const std::vector<int>& order);

}  // namespace solway::memory_planner
