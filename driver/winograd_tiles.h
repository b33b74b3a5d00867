#pragma once

#include <cstdint>

#include "support/target.h"

namespace solway::driver {

/// How many tiles of minimal filtering are computed together, of these in registers, and for how
/// many panels of filters the sums are kept before results are made of them.
struct WinogradTiles {
  std::int64_t rows = 1;  ///< of tiles in a block
  std::int64_t columns = 1;
  std::int64_t held_rows = 1;  ///< of tiles whose sums registers hold, for one panel of filters
  std::int64_t held_columns = 1;
  std::int64_t panels = 1;
  bool asks_early = false;  ///< for the weights of the next panel
};

/// What the sizes of blocks follow from; bytes of all points together.
struct WinogradPlane {
  std::int64_t rows = 1;  ///< of tiles
  std::int64_t columns = 1;
  std::int64_t channels = 1;
  std::int64_t panels = 1;         ///< of filters, of which one follows the other
  std::int64_t image_bytes = 0;    ///< the transformed image of one tile, all channels
  std::int64_t weight_bytes = 0;   ///< all transformed weights
  std::int64_t product_bytes = 0;  ///< the sums of one tile and one panel of filters
  std::int64_t vectors = 1;        ///< of a panel
};

/// Blocks that load the least: the more tiles, the fewer times the weights; the more panels at a
/// time, the fewer times the image, point by point; and the sums in registers whose parts take the
/// fewest cycles. Weights that come from beyond the second-level cache, and of which several parts
/// use each number, are asked for early, on machines that can.
WinogradTiles winograd_tiles(const WinogradPlane& plane, const Target& target);

}  // namespace solway::driver
