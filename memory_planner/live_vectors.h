#pragma once

#include <cstdint>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"

namespace solway::memory_planner {

/// Vectors that are alive at once, at most, in the code of a tile whose terms are written out:
/// results, operands that several terms use, from the first to the last of these, and one register
/// for what is used once. Compilers load an operand once, and keep it in memory where registers do
/// not suffice:
///
///   7 pixels of a row, terms q:   C[x] += X[x + q] * W[q]     7 sums, 7 of X, 1 of W
///   2 rows of 5, terms r and q:   the next r uses again what this one reads of the second row
std::int64_t live_vectors(const VectorStage& stage, const VectorPlan& plan);

}  // namespace solway::memory_planner
