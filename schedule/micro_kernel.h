#pragma once

#include <memory>
#include <string>

#include "schedule/request.h"
#include "schedule/state.h"

namespace solway::schedule {

/// The product of matrices that the loops from `axis` inward run, as an intrinsic whose code is
/// made by the code generator:
///
///   for i in [0, 64): for j in [0, 16): for k in [0, 32): C[.. + i, .. + j] += A[..] * B[..]
///   "micro_kernel_64x16x32": C[i, j] += A[i, k] * B[k, j] of these extents
///
/// One or two more loops that add up, around k, make "micro_kernel_64x16x3x3x32", which adds all of
/// A[i, r, q, k] * B[r, q, k, j] while C is in registers: the window of a convolution.
///
/// That the loops compute it is left to match_intrinsic to prove. Throws UnsupportedError for loops
/// that are no such product: other statements, another reduction or expression, element types
/// without vectors, more loops than two over elements and three that add up.
std::shared_ptr<const Intrinsic> micro_kernel_of(const State& state, LoopId axis,
                                                 const Request& request);

/// Runs code of the code generator in place of the loops from `axis` inward: see tensorize().
State tensorize_micro_kernel(const State& state, const std::string& stage, LoopId axis,
                             const SourceLoc& where);

}  // namespace solway::schedule
