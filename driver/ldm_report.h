#pragma once

#include <string>
#include <vector>

#include "memory_planner/loop_room.h"
#include "memory_planner/scratchpad.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// The buffers of a schedule in the memories of a target, and how far they could grow.
struct LdmReport {
  struct Section {
    memory_planner::ScratchpadLayout layout;
    std::vector<memory_planner::LoopRoom> rooms;
  };
  std::vector<Section> sections;  ///< the target's default memory first
};

/// Throws UnsupportedError for a buffer in a memory that the target does not have. What does not
/// fit is reported, not refused.
LdmReport ldm_report(const schedule::State& state, const Target& target, const SourceLoc& where);

/// The buffers of one memory, and how far loops could grow: two tables, the second only where a
/// loop grows a buffer.
std::string tables_of(const LdmReport::Section& section);

/// The report as a table for a terminal.
std::string to_string(const LdmReport& report);

}  // namespace solway::driver
