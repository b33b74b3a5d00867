#pragma once

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// Whether loops of the reduction are code without jumps.
bool writes_out_terms(const VectorPlan& plan);

/// Whether a tile has no loop inside: its sums are complete after one turn, and others begin while
/// it waits for them.
bool is_one_turn(const VectorStage& stage, const VectorPlan& plan);

/// Bytes of the lines in which a turn finds what it reads along the vector loop, to the bytes that
/// it reads. What nobody reads of a line comes with it all the same, but for what the next turn
/// reads.
///
///   for k: W[k * 64 .. k * 64 + 7]      2: of each line of 16 float32 a vector of 8
double line_share(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access);

/// Cycles in which one turn waits for lines as it wants more at a time than processors have under
/// way, or of more rows: a long stretch of one waits for that of another.
double burst_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

/// Cycles in which the caches deliver what one step loads along the vector loop.
double cache_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches);

}  // namespace solway::memory_planner
