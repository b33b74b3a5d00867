#pragma once

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

// Of float32 and float64.

/// x as n ln(2) + r with |r| < 0.35.
struct ReducedExp {
  llvm::Value* r;      ///< NaN where x is
  llvm::Value* n;      ///< a whole number, as a float
  llvm::Value* power;  ///< n in the lowest bits of a word, to be shifted into an exponent
};

/// exp(x) as mantissa 2^n with a mantissa in [0.7, 1.42].
struct ScaledExp {
  llvm::Value* mantissa;  ///< NaN where x is
  llvm::Value* n;         ///< as those of ReducedExp
  llvm::Value* power;
};

/// Needs |x| < 2^20; of NaN `n` and `power` may be any. With bits of a fraction, `n` is a multiple
/// of 2^-bits, `power` has so many times as much, and r is as much smaller; needs |x| < 2^(20 -
/// bits).
ReducedExp reduced_exp(FloatOps& ops, llvm::Value* x, unsigned fraction_bits = 0);
/// exp(r) - 1.
llvm::Value* exp_minus_one(FloatOps& ops, const ReducedExp& e);
/// As reduced_exp.
ScaledExp scaled_exp(FloatOps& ops, llvm::Value* x);
/// 2^x of float32 in the same form.
ScaledExp scaled_exp2(FloatOps& ops, llvm::Value* x);
/// 2^n; needs a normal number: of float32 -126 <= n <= 127.
llvm::Value* power_of_two(FloatOps& ops, llvm::Value* power);
/// mantissa 2^n, exactly; needs -125 <= n <= 126, of float64 -1021 <= n <= 1022.
llvm::Value* scaled_within(FloatOps& ops, const ScaledExp& e);
/// mantissa 2^n, -151 <= n <= 128, of float64 -1077 <= n <= 1025, with the roundings of the largest
/// and the smallest numbers: below the smallest normal one gradually to 0, above the largest to
/// infinity. The sign of n is that of `x`.
llvm::Value* scaled(FloatOps& ops, const ScaledExp& e, llvm::Value* x);

}  // namespace solway::codegen::detail
