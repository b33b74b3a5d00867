#pragma once

#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/footprint.h"
#include "schedule/position.h"
#include "schedule/request.h"
#include "schedule/state.h"

/// Buffers that keep what neighbouring tiles have in common: only what is new moves.
namespace solway::schedule {

/// What the tiles of one position and of the iteration before it have in common. A tile begins
/// `step` elements further along dimension `dim` than the one before.
struct SlidingWindow {
  isl::map held;           ///< { [position] -> T[element] }: what the iteration before held, too
  isl::map fresh;          ///< { [position] -> T[element] }: the rest
  isl::multi_aff before;   ///< { [position] -> [position] }: one iteration earlier
  int dim = 0;             ///< of T
  std::int64_t step = 0;   ///< negative: towards the first element
  std::vector<int> moved;  ///< the dimensions of T along which a buffer of it counts
};

/// The window of `footprint` that slides with `loop`, the innermost around `position` with more
/// than one iteration. Throws ScheduleArgumentError where it does not slide: the loop stands
/// elsewhere or runs on several cores, or its tiles have all or nothing in common; UnsupportedError
/// where what is new is no box, or an element would be moved too often to follow it.
SlidingWindow sliding_window(const State& state, const Footprint& footprint,
                             const Position& position, LoopId loop, const Request& request);

/// Adds the statement that moves what `window` holds to its new place in `buffer`, in loops of its
/// own inside of `position`, in front of placement `at`. Lines of elements that do not slide are
/// moved in vectors.
void add_slide(State& state, Program& program, const Position& position, const Footprint& footprint,
               const SlidingWindow& window, const std::string& buffer, std::size_t at);

/// "AA_slide"
std::string slide_of(const std::string& buffer);

}  // namespace solway::schedule
