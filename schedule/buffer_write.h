#pragma once

#include "schedule/buffer.h"

namespace solway::schedule {

/// Keeps a region of a tensor that the stage writes in near memory and stores it afterwards.
///
///   before:  yo { yi { C[yo*128 + yi] = 0 }; ko { yi { ki { C[yo*128 + yi] += ... } } } }
///   after:   yo { yi { CC[yi] = 0 }; ko { yi { ki { CC[yi] += ... } } };
///                 issue C[yo*128 : 128] <- CC; wait CC }
///
/// What is stored is exactly what one position writes: a box, or, of a triangle or a band, rows
/// that are boxes (transfer_rows.h). What the loops inside read before they write it is loaded
/// first: the box around it, or, where that is illegal as others write what else is in the box, no
/// more than it. Throws as buffer_read, and UnsupportedError when rows are no boxes, or have gaps
/// between them.
BufferResult buffer_write(const State& state, const BufferRequest& request, const SourceLoc& where);

}  // namespace solway::schedule
