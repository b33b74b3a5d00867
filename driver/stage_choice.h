#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/write_nest.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "memory_planner/optimal_planner.h"
#include "schedule/state.h"
#include "support/error.h"
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

/// A schedule of which stages are planned.
struct AutoBufferResult {
  schedule::State state;
  std::vector<StageChoice> choices;
  Remarks remarks;  ///< what was not staged, and why
};

/// What was made of a stage, with the buffers that were placed for it.
struct MadeChoice {
  StageChoice choice;
  std::vector<CapacityError::Buffer> buffers;
};

/// Describes a stage to which a plan was applied, but for who planned it: its tiles, the order of
/// its loops, and the bytes of its buffers in the scratchpad's layout.
MadeChoice choice_of(const WrittenNest& made, const memory_planner::PlannedStage& stage,
                     const memory_planner::Tiles& tiles, const memory_planner::Room& room,
                     const Target& target, const SourceLoc& where);

/// Takes over the schedule and the remarks of a stage to which a plan was applied.
void keep(AutoBufferResult& out, WrittenNest made, StageChoice choice);

}  // namespace solway::driver
