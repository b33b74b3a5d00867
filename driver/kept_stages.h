#pragma once

#include <set>
#include <string>

#include "schedule/state.h"
#include "support/remark.h"

namespace solway::driver {

/// Stages that auto_buffer leaves as they are.
struct KeptStages {
  std::set<std::string> names;
  Remarks remarks;  ///< why each is left
};

/// The stages that were planned before or have nothing to plan: one that stands with buffers in the
/// loops of its reader, with that reader, and one whose elements go into a buffer of its reader
/// only, as those of a border that the user fills. The remarks have the line `where`.
///
/// Throws UnsupportedError for any other stage in the loops of its reader: which loops of that
/// are to be inside buffers is not known.
KeptStages kept_stages(const schedule::State& state, const SourceLoc& where);

}  // namespace solway::driver
