#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// What it takes that the border of a tensor is filled in near memory.
struct BorderCost {
  double cut = 0;     ///< how many of the regions have rows that are shorter than the buffer's
  double cycles = 0;  ///< of a core for one region, to fill its border
};

/// Counts regions of tiles `tiles` of a tensor whose dimensions have `sizes`, border included.
BorderCost border_cost(const StageModel& stage, const TensorModel& tensor,
                       const std::vector<std::int64_t>& sizes, const Tiles& tiles);

}  // namespace solway::memory_planner
