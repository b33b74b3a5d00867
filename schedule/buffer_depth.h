#pragma once

#include <string>

#include "schedule/request.h"
#include "schedule/state.h"

/// What double_buffer, prefetch and depth= have in common.
namespace solway::schedule {

/// How many regions a buffer holds, and how early each is asked for.
struct BufferDepth {
  int depth = 1;
  int distance = 0;  ///< 0 <= distance < depth
};

/// As deep as `depth` says, every other slot in use: what is loaded is asked for depth - 1
/// iterations early, or half of that when it is stored as well.
BufferDepth depth_of(const Program& program, const std::string& buffer, int depth);

/// Whether a transfer fills the buffer.
bool is_loaded(const Program& program, const std::string& buffer);

/// Throws ScheduleArgumentError unless `buffer` is one of the schedule's.
void require_buffer(const Program& program, const std::string& buffer, const Request& request);

/// Throws ScheduleArgumentError unless `buffer` is one of the schedule's and its transfers stand
/// inside a loop, and 0 <= distance < depth.
void require_depth(const Program& program, const Order& order, const std::string& buffer,
                   const BufferDepth& depth, const Request& request);

/// `state` with slots and transfers of `buffer` as `depth` says, proved. Throws as require_depth,
/// IllegalScheduleError when a slot would be filled while it is used, or when what is loaded is not
/// yet computed then.
State with_depth(const State& state, const std::string& buffer, const BufferDepth& depth,
                 const Request& request);

}  // namespace solway::schedule
