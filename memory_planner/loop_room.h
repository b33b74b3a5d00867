#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_planner/scratchpad.h"
#include "schedule/state.h"

namespace solway::memory_planner {

/// How far the extent of one loop inside a buffer could grow.
struct LoopRoom {
  std::string stage;
  std::string loop;
  std::int64_t factor = 1;   ///< its extent now
  std::int64_t largest = 1;  ///< the largest at which all buffers still fit, others unchanged; 0
                             ///< when there is none
  std::int64_t range = 1;    ///< the extent of what was split: no factor beyond it means more
};

/// For every loop on which the size of a buffer in `layout` depends, in the order of the stages.
std::vector<LoopRoom> loop_room(const schedule::State& state, const ScratchpadLayout& layout);

}  // namespace solway::memory_planner
