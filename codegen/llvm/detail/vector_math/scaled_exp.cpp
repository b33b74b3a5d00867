#include "codegen/llvm/detail/vector_math/scaled_exp.h"

#include "codegen/llvm/detail/vector_math/coefficients.h"

namespace solway::codegen::detail {
namespace {

/// 1.5 2^23: a sum with it is rounded to an integer, which its lowest bits hold.
constexpr double kToInteger = 0x1.8p23;
constexpr double kLog2E = 0x1.715476p0;
/// 16 bits of ln(2), so that a product with n is exact, and the rest.
constexpr double kLn2High = 0x1.62e4p-1;
constexpr double kLn2Low = 0x1.7f7d1cp-20;

}  // namespace

ReducedExp reduced_exp(FloatOps& ops, llvm::Value* x) {
  llvm::Value* shifted = ops.fma(x, ops.number(kLog2E), ops.number(kToInteger));
  llvm::Value* n = ops.sub(shifted, ops.number(kToInteger));
  llvm::Value* r = ops.fma(n, ops.number(-kLn2High), x);
  return {ops.fma(n, ops.number(-kLn2Low), r), n, ops.bits(shifted)};
}

llvm::Value* exp_minus_one(FloatOps& ops, const ReducedExp& e) {
  return ops.add(e.r, ops.mul(ops.mul(e.r, e.r), ops.polynomial(e.r, kExp)));
}

ScaledExp scaled_exp(FloatOps& ops, llvm::Value* x) {
  const ReducedExp e = reduced_exp(ops, x);
  llvm::Value* one = ops.number(1);
  if (!ops.fuses()) return {ops.add(one, exp_minus_one(ops, e)), e.n, e.power};
  // Two steps of Horner's rule more, where each is rounded once, err less than r^2 by itself.
  llvm::Value* slope = ops.fma(ops.polynomial(e.r, kExp), e.r, one);
  return {ops.fma(slope, e.r, one), e.n, e.power};
}

ScaledExp scaled_exp2(FloatOps& ops, llvm::Value* x) {
  llvm::Value* shifted = ops.add(x, ops.number(kToInteger));
  llvm::Value* n = ops.sub(shifted, ops.number(kToInteger));
  llvm::Value* r = ops.sub(x, n);
  return {ops.fma(r, ops.polynomial(r, kExp2), ops.number(1)), n, ops.bits(shifted)};
}

llvm::Value* power_of_two(FloatOps& ops, llvm::Value* power) {
  llvm::Value* exponent = ops.b.CreateShl(power, ops.word(23));
  return ops.from_bits(ops.b.CreateAdd(exponent, ops.word(127U << 23)));
}

llvm::Value* scaled_within(FloatOps& ops, const ScaledExp& e) {
  if (llvm::Value* at_once = ops.scaled_or_null(e.mantissa, e.n)) return at_once;
  return ops.mul(e.mantissa, power_of_two(ops, e.power));
}

llvm::Value* scaled(FloatOps& ops, const ScaledExp& e, llvm::Value* x) {
  if (llvm::Value* at_once = ops.scaled_or_null(e.mantissa, e.n)) return at_once;
  // 2^n in two factors, of which the second is 2^64 for a positive x, 2^-64 for a negative one.
  llvm::Value* half_sign = ops.b.CreateLShr(ops.bits(x), ops.word(1));
  llvm::Value* is_less = ops.b.CreateAnd(half_sign, ops.word(0x40000000));
  llvm::Value* second = ops.b.CreateSub(ops.word((127U + 64U) << 23), is_less);
  llvm::Value* exponent = ops.b.CreateShl(e.power, ops.word(23));
  llvm::Value* rebiased = ops.b.CreateSub(exponent, second);
  llvm::Value* first = ops.from_bits(ops.b.CreateAdd(rebiased, ops.word(254U << 23)));
  return ops.mul(ops.mul(e.mantissa, first), ops.from_bits(second));
}

}  // namespace solway::codegen::detail
