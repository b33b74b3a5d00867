#pragma once

#include <cstdint>
#include <optional>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// Terms of a loop of the reduction that one of its turns takes: those whose code is written out.
std::int64_t terms_of_turn(const VectorPlan& plan, int loop);

/// Vectors of which each row of a tile has sums: those that a number that is spread over lanes
/// meets.
std::int64_t vectors_of_row(const VectorStage& stage, const VectorPlan& plan);

/// The plan with the code of a few terms of the innermost loop of the reduction written out, one
/// after the other; nullopt where no small number divides it, and where numbers that are spread
/// over lanes come again in another term: they would stay in registers.
///
///   before: for c: for i in [0, 16): sums += X[c, i] * W[c, i, :]
///   after:  for c: for i in [0, 4): sums += X[c, 4 i] * W[c, 4 i, :]; ...; sums += ... 4 i + 3 ...
std::optional<VectorPlan> with_terms_together(const VectorStage& stage, const VectorPlan& plan);

/// Whether that is better, which was measured: rows of three vectors or more, with registers left
/// over for what a second term loads while the first one is added, take up to 8 % less time; rows
/// of two as much.
bool wants_terms_together(const VectorStage& stage, const VectorPlan& plan,
                          const CacheModel& caches);

}  // namespace solway::memory_planner
