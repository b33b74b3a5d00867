#pragma once

#include <string>

#include "schedule/request.h"
#include "schedule/state.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// How many regions a buffer holds, and how early each is asked for.
struct BufferDepth {
  int depth = 1;
  int distance = 0;  ///< 0 <= distance < depth
};

/// As deep as `depth` says, every other slot in use: what is loaded is asked for depth - 1
/// iterations early, or half of that when it is stored as well.
BufferDepth depth_of(const Program& program, const std::string& buffer, int depth);

/// Throws ScheduleArgumentError unless `buffer` is one of the schedule's and its transfers stand
/// inside a loop, and 0 <= distance < depth.
void require_depth(const Program& program, const Order& order, const std::string& buffer,
                   const BufferDepth& depth, const Request& request);

/// Lets a buffer hold two regions: while one is used, the next one arrives, or the last one leaves.
///
///   before: ko { issue AA <- A[ko]; wait AA; use AA }
///   after:  issue AA[0] <- A[0]
///           ko { if (ko + 1 < n) { issue AA[(ko + 1) mod 2] <- A[ko + 1] }
///                wait AA[ko mod 2]; use AA[ko mod 2] }
///
/// The innermost loop around the transfers counts; at each iteration of the next loop out the
/// pipeline drains. Throws ScheduleArgumentError for a buffer that stands outside all loops,
/// IllegalScheduleError when a slot would be filled while it is used, or when what is loaded is not
/// yet computed then.
State double_buffer(const State& state, const std::string& buffer, const SourceLoc& where);

/// Asks for what a buffer holds `distance` iterations early, with as many more slots as that needs.
/// As double_buffer with distance 1.
State prefetch(const State& state, const std::string& buffer, int distance, const SourceLoc& where);

}  // namespace solway::schedule
