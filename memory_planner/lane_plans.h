#pragma once

#include <cstdint>
#include <vector>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// Sizes that divide a loop evenly, up to `most`: of 10 by 5 at most 1, 2, 3, 4 and 5, whose parts
/// are as many as of no smaller one.
std::vector<std::int64_t> even_sizes(std::int64_t steps, std::int64_t most);

/// Rows of a loop that a tile may hold: `even_sizes`; of a block of a loop whose extent is known
/// when it runs those that divide it, as the last block ends anywhere and only whole tiles are in
/// registers.
std::vector<std::int64_t> row_sizes(const VectorStage& stage, int loop, std::int64_t most);

/// Whether a tile may hold several iterations of a loop, beside the lanes of another one.
bool is_row(const VectorStage& stage, int loop, int vector);

/// Tiles whose sums have their terms in the lanes of `base`: operands that lie along these are
/// loaded once for several sums, and none waits for the one before. None where some operand is of
/// one sum only: rows that are read once stream better one after the other.
///
///   for k in vectors: for i in [0, 4): for j in [0, 6): C[i, j] += A[i, k] * B[j, k]
std::vector<VectorPlan> tiles_of_sums(const VectorStage& stage, const VectorPlan& base,
                                      const CacheModel& caches);

/// Plans with the lanes of `base` in which what is read along another loop is turned in squares.
///
///   for i, j in blocks of 16: for ii in [0, 16): B[i + ii, j : j + 16] = A[j : j + 16, i + ii]
std::vector<VectorPlan> squares(const VectorStage& stage, const VectorPlan& base);

/// Plans with the lanes of `base` along sums of few terms, which lie side by side and are turned in
/// squares.
///
///   for i in blocks of 16: for q in [0, 8) written out: C[i : i + 16] += X[i : i + 16, q]
std::vector<VectorPlan> squares_of_terms(const VectorStage& stage, const VectorPlan& base);

/// Plans with the lanes of `base` in which vectors of a loop of few iterations, whose results lie
/// side by side, are stored together; or whose operands do, loaded together.
///
///   for i in blocks of 16: Y[i : i + 16, 0 : 2] = lanes of (a, b) in turn
///   for i in blocks of 16: Y[0, i : i + 16], Y[1, i : i + 16] = lanes of X[i : i + 16, 0 : 2]
std::vector<VectorPlan> interleaved(const VectorStage& stage, const VectorPlan& base);

}  // namespace solway::memory_planner
