#pragma once

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

/// exp(x) as (1 + rest) 2^n with |rest| < 0.42.
struct ScaledExp {
  llvm::Value* rest;   ///< exp(r) - 1 of the reduced argument; NaN where x is
  llvm::Value* power;  ///< n in the lowest bits of a word, to be shifted into an exponent
};

/// Needs |x| < 2^20; of NaN `power` may be any.
ScaledExp scaled_exp(FloatOps& ops, llvm::Value* x);
/// 2^x in the same form.
ScaledExp scaled_exp2(FloatOps& ops, llvm::Value* x);
/// 2^n as a float32; needs -126 <= n <= 127.
llvm::Value* power_of_two(FloatOps& ops, llvm::Value* power);
/// (1 + rest) 2^n, -151 <= n <= 128, with the roundings of the largest and the smallest numbers:
/// below 2^-126 gradually to 0, above the largest to infinity. The sign of n is that of `x`.
llvm::Value* scaled(FloatOps& ops, const ScaledExp& e, llvm::Value* x);

}  // namespace solway::codegen::detail
