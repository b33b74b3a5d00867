#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory_planner/extract_stage.h"
#include "memory_planner/greedy_planner.h"
#include "schedule/state.h"

namespace solway::driver {

/// Whether a statement stores into a buffer, as the copy that fills a border does.
bool fills_buffer(const schedule::State& state, const schedule::Statement& s);

/// The loops of a stage inside all its transfers, and inside what fills its buffers; nullopt when
/// it has none.
std::optional<std::vector<schedule::LoopId>> loops_inside_buffers(const schedule::State& state,
                                                                  const std::string& stage);

/// The plan that leaves the loops as they are, with `inside` within the buffers.
memory_planner::StagePlan plan_in_place(const memory_planner::PlannedStage& stage,
                                        const std::vector<schedule::LoopId>& inside);

/// Plans for a stage whose iterations depend on each other, those to be tried first in front: the
/// parts of one spatial loop on `cores` cores, which keep the order of all other loops; then all
/// loops as they are on one core, with the buffers around all of them, inside the first, and so
/// on up to the first reduction loop. Nothing says that they are legal, or that they fit.
std::vector<memory_planner::StagePlan> plans_in_order(const memory_planner::PlannedStage& stage,
                                                      int cores);

/// Plans whose outer loops all cores go through together, as those over time of a stencil, with the
/// parts of a spatial loop on `cores` cores in each of their iterations, and all others inside the
/// buffers:
///
///   for t { parallel i { get; for j { U[t + 1, i, j] = ... }; put } }
std::vector<memory_planner::StagePlan> plans_in_steps(const memory_planner::PlannedStage& stage,
                                                      int cores);

}  // namespace solway::driver
