#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "memory_planner/vector_stage.h"
#include "schedule/state.h"

namespace solway::driver {

/// A stage in whose innermost loop neighbours run.
struct LongVectors {
  schedule::State state;
  std::string loop;         ///< the vectorized one
  std::int64_t extent = 0;  ///< its iterations
};

/// Writes a stage for a compiler that makes vectors of the innermost loop, as long as they get: the
/// loop along which results lie side by side comes innermost, those around it whose elements
/// continue it are fused with it, and it is vectorized. Of several such loops the one with the
/// fewest operands that lie apart is taken, then the longest. A reduction takes its place where it
/// is longer and the other does not fill one vector of `lanes`.
///
///   before: for i: for j: for k: C[i, j] = A[i, j, k] + ...     (i, j, k in 3, 20, 50)
///   after:  for i.j.k vectorized: ...                            (3000 iterations)
///   before: for i: for j: for k: C[i, j] += A[i, k] * B[k, j]
///   after:  for i: for k: for j vectorized: C[i, j] += A[i, k] * B[k, j]
///
/// nullopt when no loop has neighbours. Throws what the primitives throw.
std::optional<LongVectors> write_long_vectors(const schedule::State& state,
                                              const memory_planner::VectorStage& stage, int lanes,
                                              const SourceLoc& where);

}  // namespace solway::driver
