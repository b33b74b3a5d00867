#pragma once

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
///     for so many panels of filters:
///       for points: for panels: for tiles, so many in registers: C_M       lanes: filters
///       for panels: for tiles of the block: C_A, C       with what reads C element by element
///
/// All of it primitives, proved together; nullopt when they are not shown to be legal. Throws what
/// primitives throw.
std::optional<WrittenWinograd> write_winograd(const schedule::State& state,
                                              const dsl::Tensor& result, const Target& target,
                                              const SourceLoc& where);

}  // namespace solway::driver
