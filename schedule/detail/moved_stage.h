#pragma once

#include <set>
#include <string>
#include <vector>

#include "schedule/request.h"
#include "schedule/state.h"

namespace solway::schedule {

/// A stage that is to be computed in a loop of another one, and what that concerns.
struct MovedStage {
  std::vector<LoopId> outside;       ///< the loops from the root down to the one it moves into
  std::vector<LoopId> own_loops;     ///< around its statements
  std::vector<std::string> family;   ///< what moves, in textual order: all that stands in them
  std::vector<std::string> readers;  ///< what reads it, in textual order
  std::set<std::string> homes;       ///< the arrays that it stores to
};

/// Finds it. Throws ScheduleArgumentError where the stage is inlined, an output, changed in place,
/// on several cores, in loops of others, needed by a buffer or read outside of the loop;
/// UnsupportedError where it reads itself.
MovedStage moved_stage(const State& state, const std::string& stage, const std::string& consumer,
                       LoopId axis, const Request& request);

}  // namespace solway::schedule
