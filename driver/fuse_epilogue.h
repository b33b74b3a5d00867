#pragma once

#include <optional>
#include <string>

#include "driver/write_vector_plan.h"
#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Tiles the only reader of a product, which takes each element once, and computes each tile of the
/// product there, so that its sums never leave the registers or the first-level cache.
///
///   before: for i: for j: for k: C[i, j] += A[i, k] * B[k, j]
///           for i: for j: D[i, j] = max(C[i, j] + b[j], 0)
///   after:  for jo: for io: { for k: for ii: for ji: C[ii, ji] += ...
///                             for ii: for ji: D[..] = max(C[ii, ji] + b[..], 0) }
///
/// Where registers have a length that is known when the kernel runs, each lane of a vectorized loop
/// of the reader computes its rows of the product in registers of its own:
///
///   after:  for io: for j vectorized: { for k: for ii: C[ii] += A[io*6 + ii, k] * B[k, j]
///                                       for ii: D[io*6 + ii, j] = max(C[ii] + b[j], 0) }
///
/// `plan` is one of the product, in its own loops. nullopt when there is no such reader, when the
/// plan has blocks of the reduction or no loop over tiles, panels for lanes, lanes whose results
/// do not lie side by side, or the reader's loops do not run along its dimensions. Throws what the
/// primitives throw.
struct FusedEpilogue {
  WrittenVectors written;
  std::string reader;
};
std::optional<FusedEpilogue> fuse_epilogue(const schedule::State& state,
                                           const memory_planner::VectorStage& product,
                                           const memory_planner::VectorPlan& plan,
                                           const Target& target, const SourceLoc& where);

}  // namespace solway::driver
