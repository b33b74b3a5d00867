#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// The operand's lines that a plan asks for early; null: none.
const EarlyLines* early_lines_of(const VectorPlan& plan, const VectorAccess& access);

/// Turns of a loop, of so many cycles each, until main memory has answered; some at least, and no
/// more than what the first-level cache keeps.
std::int64_t turns_until_answered(double cycles);

/// What a plan had better ask the caches for: operands that come in vectors, are used by several
/// tiles, and of which a tile reads more than half of the first-level cache. The loop is the
/// innermost one of the reduction, the distance what main memory takes to answer. And what is
/// spread over lanes and comes from beyond the second-level cache, where processors do not see
/// which line is next, as rows lie far apart, a copy takes every other place, or some pixels of
/// each of many planes are read: for the next tile or copy, little by little in this one.
std::vector<EarlyLines> lines_to_ask_for(const VectorStage& stage, const VectorPlan& plan,
                                         const CacheModel& caches);

/// Cycles that the core waits, beside those of bandwidth, for lines that are read for the first
/// time, those of numbers spread over lanes also again from main memory: of operands that
/// lines_to_ask_for() names, and of what is read once in short stretches, but those that the plan
/// asks for early.
double first_read_cycles(const VectorStage& stage, const VectorPlan& plan,
                         const CacheModel& caches);

}  // namespace solway::memory_planner
