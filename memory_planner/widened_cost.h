#pragma once

#include <cstdint>
#include <optional>

#include "memory_planner/nest_plan.h"
#include "memory_planner/transfer_cost.h"
#include "support/target.h"

/// Tiles that are read in whole units, as what is exactly in them is nothing that the engine moves:
/// schedule/whole_units.h.
namespace solway::memory_planner {

/// Elements of the units in which tiles of a tensor can be read; 0: not in units, or none of the
/// engine's are whole elements.
std::int64_t unit_elems(const TensorModel& tensor, const TransferEngine& engine);

/// Elements that the buffer of a tensor has, in the units of the plan, with room for all of them.
/// Those of the tile where there is no such buffer. Needs: unit_of(plan, tensor) > 0.
std::int64_t widened_elems(const StageModel& stage, const NestPlan& plan, int tensor);

/// Whether all tiles of a tensor begin at one place of a unit of the plan.
bool has_one_lead(const StageModel& stage, const NestPlan& plan, int tensor);

/// What the engine moves then; nullopt where rows of a buffer cannot lie as those of main memory.
std::optional<TransferShape> widened_shape(const StageModel& stage, const NestPlan& plan,
                                           int tensor, const TransferEngine& engine);

}  // namespace solway::memory_planner
