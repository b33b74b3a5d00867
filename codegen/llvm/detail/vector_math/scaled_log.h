#pragma once

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

/// A positive x as (1 + f) 2^n with 1 + f in [sqrt(1/2), sqrt(2)).
struct ScaledLog {
  llvm::Value* f;
  llvm::Value* n;  ///< as a float
};

/// Of float32 or float64. Exact for every positive x, those below the normal ones too; of others
/// any.
ScaledLog scaled_log(FloatOps& ops, llvm::Value* x);
/// The same of a float64 that is no denormal.
ScaledLog scaled_log_of_normal(FloatOps& ops, llvm::Value* x);
/// The logarithm of a float64.
llvm::Value* double_log(FloatOps& ops, const ScaledLog& l);
/// `result` where x is positive and finite; else what every logarithm gives: -infinity of 0, NaN
/// of what is negative or NaN, infinity of infinity.
llvm::Value* of_every_number(FloatOps& ops, llvm::Value* x, llvm::Value* result);

}  // namespace solway::codegen::detail
