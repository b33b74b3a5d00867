#pragma once

#include "memory_planner/body_model.h"
#include "memory_planner/nest_plan.h"
#include "support/target.h"

namespace solway::memory_planner {

/// How a stage finds a tensor's elements along the loop that runs in vectors.
enum class LaneAccess : std::uint8_t { Same, Contiguous, Gathered };

LaneAccess lane_access(const TensorModel& tensor, int loop);

/// Vectors (or numbers, without a vector loop) of results that registers hold; 0 when the loops
/// that hold them have a remainder or are too many, so that each update loads and stores its sum.
std::int64_t held_vectors(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                          const Target& target);

/// Cycles of a core for one element that it loads from main memory or stores there, as so many
/// cores do.
double main_memory_cycles(const Target& target, AccessDirection direction, int cores);

/// Cycles in which the busiest core computes, without waits for transfers: loads and arithmetic of
/// generated code follow each other, since its loads come first; latencies show where registers
/// hold too few sums to fill the pipe.
double compute_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan,
                      const Target& target);

}  // namespace solway::memory_planner
