#pragma once

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

/// A positive x as (1 + f) 2^n with 1 + f in [sqrt(1/2), sqrt(2)).
struct ScaledLog {
  llvm::Value* f;
  llvm::Value* n;  ///< as a float32
};

/// Exact for every positive x, those below 2^-126 too; of others any.
ScaledLog scaled_log(FloatOps& ops, llvm::Value* x);
/// `result` where x is positive and finite; else what every logarithm gives: -infinity of 0, NaN
/// of what is negative or NaN, infinity of infinity.
llvm::Value* of_every_number(FloatOps& ops, llvm::Value* x, llvm::Value* result);

}  // namespace solway::codegen::detail
