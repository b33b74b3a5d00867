#pragma once

#include <string>

#include "schedule/state.h"

/// Whether primitives have changed a stage.
namespace solway::schedule {

/// Whether the statements of a stage run in serial loops of their own, one per axis, in which
/// nothing else runs.
bool has_loops_as_written(const State& state, const std::string& stage);

/// The same, and they access the elements that the user wrote, no copies of them.
bool is_as_written(const State& state, const std::string& stage);

}  // namespace solway::schedule
