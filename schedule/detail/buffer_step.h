#pragma once

#include "schedule/buffer.h"
#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::schedule {

/// The step of a schedule's log that made `buffer`; `before` is the schedule without it.
Step buffer_step(const State& before, const BufferRequest& request, AccessKind kind,
                 const std::string& buffer, const SourceLoc& where);

}  // namespace solway::schedule
