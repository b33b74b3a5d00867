#pragma once

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

/// |x| of a float32 as n pi/2 + r with |r| < 0.79, in float64.
struct ReducedAngle {
  llvm::Value* r;        ///< NaN where x is infinite or NaN
  llvm::Value* quarter;  ///< n, of which the lowest two bits count
};

/// As near as float32 needs for every x. Where a lane has |x| >= 2^20 a branch is taken to steps
/// that hold for all lanes; lanes below keep what they have without it.
ReducedAngle reduced_angle(llvm::IRBuilder<>& b, llvm::Value* x);

/// Functions of r, in float64.
llvm::Value* sine(FloatOps& ops, llvm::Value* r);
llvm::Value* cosine(FloatOps& ops, llvm::Value* r);

/// The sine of n pi/2 + r, in float64. That of one quarter more is the cosine.
llvm::Value* sine(FloatOps& ops, const ReducedAngle& angle);

}  // namespace solway::codegen::detail
