#include "driver/program_memory.h"

#include "memory_planner/scratchpad.h"

namespace solway::driver {

void require_memory(const schedule::State& state, const Target& target, const SourceLoc& where) {
  memory_planner::require_fits(memory_planner::lay_out(state, target, where), where);
}

}  // namespace solway::driver
