#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dsl/tensor.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// The tensor of a stage with a chain of winograd() of which no stage has a primitive yet; nullptr
/// for other stages.
dsl::Tensor open_winograd(const schedule::State& state, const dsl::Tensor& stage);

/// How many tiles of minimal filtering are computed together, and of these in registers.
struct WinogradTiles {
  std::int64_t rows = 1;  ///< of tiles in a block
  std::int64_t columns = 1;
  std::int64_t held_rows = 1;  ///< of tiles whose sums registers hold, for one panel of filters
  std::int64_t held_columns = 1;
};

/// What the sizes of blocks follow from; bytes of all points together.
struct WinogradPlane {
  std::int64_t rows = 1;  ///< of tiles
  std::int64_t columns = 1;
  std::int64_t image_bytes = 0;    ///< the transformed image of one tile, all channels
  std::int64_t weight_bytes = 0;   ///< all transformed weights
  std::int64_t product_bytes = 0;  ///< the sums of one tile and one panel of filters
  std::int64_t vectors = 1;        ///< of a panel
};

/// Blocks that load the least: the more tiles, the fewer times the weights; and as many sums as
/// registers hold.
WinogradTiles winograd_tiles(const WinogradPlane& plane, const Target& target);

/// A chain with its schedule.
struct WrittenWinograd {
  schedule::State state;
  /// The stages in whose loops all others stand: the result, then those that read it alone, element
  /// by element, and have it in their expressions: a bias, an activation. The last one is there.
  std::vector<std::string> stages;
  std::vector<double> passes;  ///< cycles to store and load again each of them but the last
  std::string shared;          ///< the loop of which each thread runs a part; "": none
};

/// The schedule of a chain of stages that dsl::winograd made, none of which has a primitive yet:
///
///   for blocks of tiles:                                 rows of blocks on threads
///     for channels: for tiles of the block: C_B, C_V           lanes: channels
///     for panels of filters:
///       for points: for tiles, so many in registers: C_M       lanes: filters
///       for tiles of the block: C_A, C                   with what reads C element by element
///
/// All of it primitives, proved together; nullopt when they are not shown to be legal. Throws what
/// primitives throw.
std::optional<WrittenWinograd> write_winograd(const schedule::State& state,
                                              const dsl::Tensor& result, const Target& target,
                                              const SourceLoc& where);

}  // namespace solway::driver
