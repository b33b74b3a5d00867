#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/stage_model.h"
#include "support/target.h"

namespace solway::memory_planner {

/// A box that moves between main memory and a buffer, as the engine sees it.
struct TransferShape {
  std::int64_t requests = 1;     ///< descriptors: dimensions beyond the engine's ranks are loops
  std::int64_t blocks = 1;       ///< contiguous pieces of all requests together
  std::int64_t block_bytes = 0;  ///< of one piece
  std::int64_t step_bytes = 0;   ///< what divides the distances between pieces; 0: there is one
  std::int64_t first_bytes = 0;  ///< the address at which the first piece begins
  std::int64_t run_bytes = 0;    ///< what divides the lengths of pieces, those at ends of loops too
  std::int64_t least_bytes = 0;  ///< of a request
};

/// How the tiles of a loop end.
struct TileEnds {
  std::int64_t part = 0;  ///< iterations from one part of the loop to the next; 0: it is one part
  std::int64_t tail = 0;  ///< what divides the iterations of tiles that are smaller; 0: none is
};

/// The shape of a tile's box of a tensor whose dimensions have these sizes. Whole lower dimensions
/// make longer pieces. `ragged` says per loop whether its last tile is smaller: a box of it has
/// gaps in near memory, which a request has not, so that its rows are requests of their own.
/// `ends`: per loop, how; empty: nothing is known.
TransferShape transfer_shape(const TensorModel& tensor, const std::vector<std::int64_t>& sizes,
                             const Tiles& tiles, const std::vector<bool>& ragged, int ranks,
                             const std::vector<TileEnds>& ends = {});

/// Whether the engine moves such boxes; else generated code copies them element by element
/// (codegen/athread/transfer_form.h).
bool is_moved_by(const TransferEngine& engine, const TransferShape& shape,
                 std::int64_t element_bytes);

/// Cycles of the whole engine for one such box, its start not counted: blocks take what the
/// published throughput says, and those that may begin within a transaction what the transactions
/// take that they touch. The mean over the places where pieces can begin.
double engine_cycles(const TransferShape& shape, bool is_get, const Target& target,
                     const TransferEngine& engine);

}  // namespace solway::memory_planner
