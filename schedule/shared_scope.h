#pragma once

#include <set>
#include <string>

#include "schedule/program.h"
#include "schedule/request.h"
#include "schedule/state.h"
#include "support/target.h"

/// Buffers of scope "shared" (kSharedScope): of each there is one, which all cores see. One core
/// fills it outside of all parallel loops, whose iterations then read it.
namespace solway::schedule {

/// Whether there is one of `array` for all cores, which is no array in main memory.
bool is_shared(const Array& array);

/// The buffers of a program of which each core has its own.
std::set<std::string> own_buffers(const Program& program);

/// Whether nothing fills a shared buffer inside of a parallel loop.
bool is_shared_filled_outside(const State& state);

/// Requires that nothing fills a shared buffer inside of a parallel loop, where several cores would
/// do so at once. What its iterations read there was complete before the loop, then, and
/// dependences between the loop and what stands around it say where cores have to meet. Throws
/// IllegalScheduleError that names the loop.
void require_shared_filled_outside(const State& state, const Request& request);

}  // namespace solway::schedule
