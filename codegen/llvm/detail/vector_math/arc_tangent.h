#pragma once

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

/// The angle of the point (x, y) of float64 in [-pi, pi], as near as float32 needs: C's atan2, with
/// its special values. Quotients of the coordinates must be normal numbers, or 0.
llvm::Value* arc_tangent(FloatOps& ops, llvm::Value* y, llvm::Value* x);

/// sqrt(1 - x^2) of float64: NaN beyond 1.
llvm::Value* other_leg(FloatOps& ops, llvm::Value* x);

}  // namespace solway::codegen::detail
