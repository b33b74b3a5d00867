#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/region.h"
#include "schedule/state.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// What a buffer is to hold, and where it stands.
struct BufferRequest {
  std::string stage;   ///< whose statements use it
  std::string tensor;  ///< the array that it holds a region of
  /// What varies inside; nullopt: whatever the loops inside the position touch.
  std::optional<Region> region;
  LoopId at = -1;           ///< the position: inside this loop; -1: outside all loops
  std::string scope;        ///< a memory of the target; "": the target's default
  std::vector<int> layout;  ///< tensor dimensions in the order of the buffer's; empty: as they are
  std::string text;         ///< the request as errors quote it: "buffer_read(B, [ki, yi])"
  unsigned long budget = kProgramBudget;  ///< isl operations of the analysis, and of the proof
  int depth = 1;                          ///< regions that it holds at once, see double_buffer
  /// The layout by loops, of which several may run along one dimension of the tensor: panels_of.
  std::vector<LoopId> loop_layout = {};
};

struct BufferResult {
  State state;
  std::string buffer;  ///< its name
};

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
