#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/buffer_slots.h"
#include "schedule/request.h"
#include "schedule/state.h"

/// What double_buffer, prefetch and depth= have in common.
namespace solway::schedule {

/// As deep as `depth` says, every other slot in use: what is loaded is asked for depth - 1
/// iterations early, or half of that when it is stored as well.
BufferDepth depth_of(const Program& program, const std::string& buffer, int depth);

/// How many loops around the transfers of `buffer` there are from `outermost` inward; 1 without.
/// Throws ScheduleArgumentError where it is not around them, UnsupportedError where the extent of a
/// loop inside of it is known at run time.
int loops_across(const Program& program, const Order& order, const std::string& buffer,
                 const std::optional<LoopId>& outermost, const Request& request);

/// Whether a transfer fills the buffer.
bool is_loaded(const Program& program, const std::string& buffer);

/// Adds a primitive of a buffer to the log, whose arguments are the buffer, `more`, and the loop
/// that `across` names.
void log_depth(State& state, const std::string& primitive, const std::string& buffer,
               const std::vector<std::pair<std::string, Step::Argument>>& more,
               const std::optional<LoopId>& across, const SourceLoc& where);

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
