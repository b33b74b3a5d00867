#pragma once

#include "schedule/buffer.h"

namespace solway::schedule {

/// Copies a region of a tensor to near memory before it is read.
///
///   before:  ko { yi { ki { C[yi] += A[ko*64 + ki] * ... } } }
///   after:   ko { issue AA <- A[ko*64 : 64]; wait AA; yi { ki { C[yi] += AA[ki] * ... } } }
///
/// The buffer is the smallest box of constant size that holds what one position touches; the
/// transfer moves the exact box of that position, clipped where the tensor ends.
/// Throws ScheduleArgumentError for a region that does not fit the position or the accesses,
/// IllegalScheduleError when a read would get another value, UnsupportedError when no box of
/// constant size is found, AnalysisBudgetError when isl does not decide.
///
/// Source: swTVM, Section 5.1, Figure 2.
BufferResult buffer_read(const State& state, const BufferRequest& request, const SourceLoc& where);

}  // namespace solway::schedule
