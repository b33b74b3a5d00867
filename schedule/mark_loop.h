#pragma once

#include <cstdint>
#include <string>

#include "schedule/request.h"
#include "schedule/state.h"

/// What the primitives that mark a loop have in common: parallel, bind, vectorize, unroll.
namespace solway::schedule {

/// Where the iterations of a parallel loop run.
struct Cores {
  std::string hardware = "core";
  std::int64_t parts = 0;  ///< 0: all there are
};

/// Marks loop `axis`. Throws ScheduleArgumentError when it has another mark or other cores,
/// IllegalScheduleError when its iterations conflict.
State mark_loop(State state, LoopId axis, LoopMark mark, const Request& request,
                const Cores& cores = {});

/// mark_loop at the request of `primitive`, a step of the log with the axis alone.
State marked(const State& state, const std::string& stage, LoopId axis, LoopMark mark,
             const std::string& primitive, const SourceLoc& where);

}  // namespace solway::schedule
