#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/auto_buffer.h"
#include "schedule/state.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// A plan that the model finds good for a stage.
struct Alternative {
  std::string text;  ///< "6 of i x 64 of j in registers, panels of B"
  double cycles = 0;
  int of = -1;  ///< the number of the one whose tile it has, in another way; -1: a tile of its own
};

struct AutoScheduleResult {
  schedule::State state;
  std::vector<StageChoice> choices;
  Remarks remarks;  ///< what was left as it is, and why
  /// Per stage that has several, the best first. `picks` of auto_schedule names one by its number.
  /// How many rows a stage has together, with those that run in its loops, stands as "rows of Y".
  std::vector<std::pair<std::string, std::vector<Alternative>>> alternatives;
};

/// Chooses all of a schedule for a vector CPU by a model of its pipes, registers and caches, and
/// applies it as ordinary primitives, which stand in the log with the line `where`:
///
///   compute_inline, compute_at   stages go where they are read, if nothing is computed twice
///   split, reorder               tiles of what registers hold, reductions outside of them
///   vectorize, unroll            the loop whose neighbours lie side by side, and the rows
///   buffer_read                  panels, where the rows of an operand lie pages apart
///   buffer_write                 sums in registers
///   parallel                     an outer loop of a stage with work for threads (share_out.h)
///
/// What each stage is follows from its access relations alone. A stage to which the user has
/// applied a primitive keeps what it has, and what cannot be proved is left out: each with a
/// remark. For a target with a scratchpad it is auto_buffer with planner "optimal".
///
/// Throws UnsupportedError for a target that has neither vectors nor a scratchpad.
AutoScheduleResult auto_schedule(const schedule::State& state, const Target& target,
                                 const std::map<std::string, int>& picks, const SourceLoc& where);

}  // namespace solway::driver
