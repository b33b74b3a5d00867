#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// The near memory that the buffers of a stage share.
struct Room {
  std::int64_t capacity_bytes = 0;
  std::int64_t alignment_bytes = 1;  ///< each buffer's size is rounded up to it
  bool operator==(const Room&) const = default;
};

/// One tile size that was tried.
struct TileTrial {
  int loop = 0;
  std::int64_t tile = 1;
  std::int64_t bytes = 0;  ///< of all buffers with it
  bool fits = false;
};

struct TileChoice {
  Tiles tiles;
  std::int64_t bytes = 0;
  bool fits = false;              ///< false: not even the smallest tiles do
  std::vector<TileTrial> trials;  ///< in the order in which they were tried
};

/// Tile sizes for which the buffers of all tensors of a stage fit `room`: first 64 iterations (or
/// the whole range) of each loop that grows a buffer, halved until all fits; then doubled, in turn
/// that of the loop with the fewest transfers, until the next step does not fit.
///
/// Source: swTVM, Algorithm 1.
TileChoice choose_tiles(const StageModel& stage, const Room& room);

}  // namespace solway::memory_planner
