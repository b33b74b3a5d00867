#pragma once

#include <optional>
#include <string>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// The loops of a stage cut by the divisors of its indices, so that addresses move evenly along the
/// loops over blocks: registers hold no tiles, and no lanes, along a loop where they do not.
///
///   X[m // 32 * 32 + c, x + q]          m by 32: X does not move with m.i
///   X[(x - q) // 2], where (x - q) % 2 == 0      x by 2: X moves by 1 with x.o; x.i is written
///   out,
///                                                as other terms belong to each of its iterations
///
/// nullopt: addresses move evenly, or no divisor of the expression makes them.
std::optional<schedule::State> cut_to_even_steps(const schedule::State& state,
                                                 const std::string& stage, const Target& target,
                                                 const SourceLoc& where);

}  // namespace solway::driver
