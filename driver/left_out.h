#pragma once

#include <optional>
#include <string>

#include "memory_planner/extract_stage.h"
#include "schedule/state.h"

namespace solway::driver {

/// A tensor that a stage accesses in main memory, so that there is room for the others.
struct LeftOut {
  std::string tensor;
  std::string why;
};

/// What a stage does best without when one iteration of it has no room: what depends on data, of
/// which there is no buffer anyway; of the tensors whose buffers hold all that a loop touches, as
/// they are accessed beside it, too, the one that takes the most; the value of a nested reduction;
/// a table of constants. nullopt when none of its tensors is one of these.
std::optional<LeftOut> left_out_first(const schedule::State& state,
                                      const memory_planner::PlannedStage& stage);

}  // namespace solway::driver
