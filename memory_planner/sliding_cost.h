#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory_planner/nest_plan.h"
#include "memory_planner/stage_model.h"
#include "support/target.h"

namespace solway::memory_planner {

/// What neighbouring tiles of a tensor have in common, along the innermost loop around its buffer.
struct TileOverlap {
  int loop = 0;             ///< that carries the tiles
  std::size_t dim = 0;      ///< of the tensor, along which they move
  std::int64_t shared = 0;  ///< elements of it that a tile and the next one hold
};

/// The overlap of the tiles of a tensor that is read; nullopt where they have none, where they move
/// along several dimensions, or where several cores read it together.
std::optional<TileOverlap> tile_overlap(const StageModel& stage, const NestPlan& plan, int tensor);

/// The tensor with as many elements per tile as are new to it.
TensorModel fresh_part(const TensorModel& tensor, const TileOverlap& overlap);

/// Cycles of a core to move what two tiles share to its new place in near memory.
double slide_cycles(const TensorModel& tensor, const TileOverlap& overlap, const Tiles& tiles,
                    const Target& target);

}  // namespace solway::memory_planner
