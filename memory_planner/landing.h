#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory_planner/stage_model.h"
#include "schedule/state.h"

/// Tensors that are turned in near memory: a stage reads them in another order of dimensions than
/// main memory has them in.
namespace solway::memory_planner {

/// What `stage` copies into another order of dimensions: it stores a tensor in a layout of
/// transform_layout. nullopt where it does something else, or the layout is more than an order.
std::optional<Landing> landing_of(const schedule::State& state, const std::string& stage);

/// A tensor as main memory holds it: its dimensions in the order there. Itself where nothing lands.
TensorModel in_memory(const TensorModel& tensor);

/// The same of the sizes of its dimensions.
std::vector<std::int64_t> shape_in_memory(const TensorModel& tensor,
                                          const std::vector<std::int64_t>& shape);

/// Cycles of a core to turn a tile of a tensor that has landed, `lanes` elements in a vector.
double turn_cycles(const TensorModel& tensor, const Tiles& tiles, int lanes);

}  // namespace solway::memory_planner
