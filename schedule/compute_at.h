#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::schedule {

/// What a tile of a stage holds. Exact: what is needed, where that is one convex set, else a box.
/// Box: the box around it in any case, whose loops have the same extents in every tile that does
/// not lie at an end of the tensor, as vectors and unrolled rows want them. Whole: that box in
/// every tile, within the tensor, though the last readers need less of it; along a dimension of
/// which each tile has the same elements, all up to the end of the tensor.
enum class TileRegion : std::uint8_t { Exact, Box, Whole };

/// Computes, inside loop `axis` of stage `consumer`, what one of its iterations needs of a stage.
///
///   before: for i in [0, 1026): P[i] = A[i]
///           for t in [0, 32): for j in [0, 32): C[32*t + j] = P[32*t + j] + P[32*t + j + 2]
///   after:  for t in [0, 32):
///             for i in [0, 34): P[i] = A[32*t + i]
///             for j in [0, 32): C[32*t + j] = P[j] + P[j + 2]
///
/// The tensor becomes a tile in memory `scope`, "" for the target's near memory, private to the
/// core, and values that several tiles need are computed in each, within the tensor. In scope
/// "register" inside a vectorized loop each lane has a tile of its own (lane_buffers.h). Loops that
/// run along one axis of the stage start at the tile; what stands inside its loops moves with them.
/// A stage that was placed elsewhere moves. Throws ScheduleArgumentError for an output, a loop that
/// does not enclose all readers, loops that are shared; UnsupportedError for a stage that reads
/// itself, or a tile without constant size; IllegalScheduleError when a value would be another;
/// AnalysisBudgetError.
State compute_at(const State& state, const std::string& stage, const std::string& consumer,
                 LoopId axis, const SourceLoc& where, TileRegion region = TileRegion::Exact,
                 const std::string& scope = "");

/// The loops of `consumer`, outermost first, inside which compute_at may place `stage`.
std::vector<LoopId> legal_levels(const State& state, const std::string& stage,
                                 const std::string& consumer, const SourceLoc& where);

}  // namespace solway::schedule
