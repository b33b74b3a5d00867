#pragma once

#include "schedule/buffer.h"

namespace solway::schedule {

/// Keeps a region of a tensor that the stage writes in near memory and stores it afterwards.
///
///   before:  yo { yi { C[yo*128 + yi] = 0 }; ko { yi { ki { C[yo*128 + yi] += ... } } } }
///   after:   yo { yi { CC[yi] = 0 }; ko { yi { ki { CC[yi] += ... } } };
///                 issue C[yo*128 : 128] <- CC; wait CC }
///
/// What the loops inside read before they write it is loaded first. Throws as buffer_read, and
/// UnsupportedError when what one position writes is not a box.
BufferResult buffer_write(const State& state, const BufferRequest& request, const SourceLoc& where);

}  // namespace solway::schedule
