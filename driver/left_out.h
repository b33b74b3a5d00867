#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory_planner/choose_tiles.h"
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
/// a table of constants; what one iteration touches so far apart that the box around it has no
/// room. nullopt when none of its tensors is one of these.
std::optional<LeftOut> left_out_first(const schedule::State& state,
                                      const memory_planner::PlannedStage& stage,
                                      const memory_planner::Room& room);

/// What a stage does best without when the boxes around what its smallest tiles touch have no room:
/// the largest tensor that it reads. nullopt when it reads none.
std::optional<LeftOut> left_out_of_boxes(const memory_planner::PlannedStage& stage);

/// The tensors of which one iteration touches elements so far apart that the box around them has no
/// room in the memory.
///
///   Y[i] = X[i] + X[i + 65536]   one iteration touches 2 elements, in a box of 65537
std::vector<int> far_apart(const memory_planner::StageModel& stage,
                           const memory_planner::Room& room);

/// Why such a tensor is left out.
inline constexpr const char* kFarApart =
    "one iteration touches elements of it that are so far apart that the box around them has no "
    "room";

}  // namespace solway::driver
