#pragma once

#include <string>
#include <vector>

#include "driver/write_nest.h"
#include "memory_planner/epilogue.h"

namespace solway::driver {

/// A product and the stage that uses up each of its tiles.
struct FusedNest {
  std::string reader;
  /// Per loop of the product, the reader's along it; kNoLoop where it has none, as for a reduction.
  std::vector<schedule::LoopId> reader_loops;
  memory_planner::PlannedStage stage;  ///< the product with its epilogue
  schedule::LoopId vector = -1;        ///< of the reader, what runs in vectors; kNoLoop
  bool is_part = false;  ///< the reader takes fewer elements: of its last tiles all are computed
};

/// Tiles the reader as `plan` tiles the product, computes each tile of the product there, and
/// applies what else the plan says: transfers, sharing, the micro-kernel.
///
///   before: for f: for x: for k: S[f, x] += A[f, k] * B[k, x]
///           for f: for x: Y[f, x] = max(S[f, x], 0)
///   after:  for fo: for xo: { for ko: { read AA, BB; S[fi, xi] += micro_kernel(AA, BB) }
///                             for fi: for xi: YY[fi, xi] = max(S[fi, xi], 0); write YY }
///
/// As write_nest otherwise; refused where the plan has no loop over tiles. Needs: a plan with a
/// micro-kernel.
WrittenNest write_fused_nest(const schedule::State& state, const FusedNest& nest,
                             const memory_planner::NestPlan& plan, const SourceLoc& where);

}  // namespace solway::driver
