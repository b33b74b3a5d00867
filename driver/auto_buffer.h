#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_planner/optimal_planner.h"
#include "schedule/state.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// What was chosen for one stage.
struct StageChoice {
  /// One loop of the stage as it was, and the iterations of it that a tile holds.
  struct Tile {
    std::string loop;
    std::int64_t extent = 1;
    std::int64_t tile = 1;
  };
  std::string stage;
  std::vector<Tile> tiles;
  std::vector<std::string> order;  ///< the stage's loops now, outermost first
  std::string parallel;            ///< the loop that runs on different cores; "" without
  std::vector<std::string> buffers;
  std::int64_t buffer_bytes = 0;
  std::int64_t room_bytes = 0;  ///< what the stage could use
  /// "optimal"; "greedy", or "in order" for plans_in_order, where a remark says why.
  std::string planner;
  double cycles = -1;  ///< by the model, without the start of the cores; -1: not counted
  std::vector<memory_planner::Decision> decisions;  ///< with the cycles of both sides
};

struct AutoBufferResult {
  schedule::State state;
  std::vector<StageChoice> choices;
  Remarks remarks;  ///< what was not staged, and why
};

/// Chooses for each stage what is staged in the target's default memory, tile sizes, the order of
/// loops and the positions of transfers, and applies that as ordinary primitives, which stand in
/// the log with the line `where`. `planner` is "optimal", a search with the target's cost model
/// that chooses cores, vectors and what registers hold too, or "greedy": Algorithms 1 and 2 of the
/// swTVM paper.
///
/// Each stage may use the whole memory, as buffers of nests that follow each other share bytes;
/// stages that were fused share it in equal parts. What the user has fixed is kept:
/// marked loops, the factors of splits, the order of a stage that was reordered; a stage with a
/// buffer keeps all its loops, and only tensors without one are staged, at the place of that
/// buffer, and so does one that stands with buffers in the loops of its reader, with that reader.
/// "optimal" plans such a stage as "greedy" does, and says so in a remark.
///
/// A stage whose iterations depend on each other, so that its plan is illegal, keeps the order of
/// its loops: one of them runs on the cores where that is legal, and what can be staged without
/// breaking a dependence is. So does one whose plan is refused or not decided. A remark says why; a
/// stage of which nothing can be staged is left as it is.
///
/// Throws CapacityError when what is fixed leaves no room, naming it; UnsupportedError, with
/// "optimal", for a target without the figures that the model needs.
AutoBufferResult auto_buffer(const schedule::State& state, const Target& target,
                             const std::string& planner, const SourceLoc& where);

}  // namespace solway::driver
