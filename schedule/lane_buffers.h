#pragma once

#include <optional>
#include <set>
#include <string>

#include "schedule/state.h"

/// Each lane of a vectorized loop has registers of its own: a buffer of scope "register" that
/// nothing outside of the loop uses.
namespace solway::schedule {

/// The vectorized loop of which each iteration has a buffer of its own: the only one around each of
/// its uses, in the same loops. nullopt: all of its users share it.
std::optional<LoopId> lane_loop_of(const State& state, const std::string& buffer);

/// The buffers of which each iteration of loop `id` has its own.
std::set<std::string> lane_buffers(const State& state, LoopId id);

}  // namespace solway::schedule
