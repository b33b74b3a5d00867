#pragma once

#include "schedule/buffer.h"

namespace solway::schedule {

/// Throws for a buffer in scope "shared", or of one there, that is not implemented:
/// UnsupportedError; and for a buffer of one that each core has for itself: ScheduleArgumentError.
void require_shared_request(const State& state, const BufferRequest& request, AccessKind kind,
                            const SourceLoc& where);

}  // namespace solway::schedule
