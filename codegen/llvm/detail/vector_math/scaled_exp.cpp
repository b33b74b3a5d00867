#include "codegen/llvm/detail/vector_math/scaled_exp.h"

#include "codegen/llvm/detail/vector_math/coefficients.h"

namespace solway::codegen::detail {
namespace {

constexpr double kLog2E = 0x1.71547652b82fep0;

/// ln(2) in two parts, so that a product of the first one with n is exact.
struct Ln2 {
  double high;
  double low;
};

/// 16 bits, and 42.
constexpr Ln2 kLn2OfFloat = {0x1.62e4p-1, 0x1.7f7d1cp-20};
constexpr Ln2 kLn2OfDouble = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

}  // namespace

ReducedExp reduced_exp(FloatOps& ops, llvm::Value* x, unsigned fraction_bits) {
  const Ln2& ln2 = ops.is_double() ? kLn2OfDouble : kLn2OfFloat;
  llvm::Value* to_integer = ops.number(ops.to_integer() / (1U << fraction_bits));
  llvm::Value* shifted = ops.fma(x, ops.number(kLog2E), to_integer);
  llvm::Value* n = ops.sub(shifted, to_integer);
  llvm::Value* r = ops.fma(n, ops.number(-ln2.high), x);
  return {ops.fma(n, ops.number(-ln2.low), r), n, ops.bits(shifted)};
}

llvm::Value* exp_minus_one(FloatOps& ops, const ReducedExp& e) {
  return ops.add(e.r, ops.mul(ops.mul(e.r, e.r), ops.polynomial(e.r, kExp, kDoubleExp)));
}

ScaledExp scaled_exp(FloatOps& ops, llvm::Value* x) {
  const ReducedExp e = reduced_exp(ops, x);
  llvm::Value* one = ops.number(1);
  if (!ops.fuses()) return {ops.add(one, exp_minus_one(ops, e)), e.n, e.power};
  // Two steps of Horner's rule more, where each is rounded once, err less than r^2 by itself.
  llvm::Value* slope = ops.fma(ops.polynomial(e.r, kExp, kDoubleExp), e.r, one);
  return {ops.fma(slope, e.r, one), e.n, e.power};
}

ScaledExp scaled_exp2(FloatOps& ops, llvm::Value* x) {
  llvm::Value* to_integer = ops.number(ops.to_integer());
  llvm::Value* shifted = ops.add(x, to_integer);
  llvm::Value* n = ops.sub(shifted, to_integer);
  llvm::Value* r = ops.sub(x, n);
  return {ops.fma(r, ops.polynomial(r, kExp2), ops.number(1)), n, ops.bits(shifted)};
}

llvm::Value* power_of_two(FloatOps& ops, llvm::Value* power) {
  const unsigned to_exponent = ops.mantissa_bits();
  llvm::Value* exponent = ops.b.CreateShl(power, ops.word(to_exponent));
  return ops.from_bits(ops.b.CreateAdd(exponent, ops.word(ops.bias() << to_exponent)));
}

llvm::Value* scaled_within(FloatOps& ops, const ScaledExp& e) {
  if (llvm::Value* at_once = ops.scaled_or_null(e.mantissa, e.n)) return at_once;
  return ops.mul(e.mantissa, power_of_two(ops, e.power));
}

llvm::Value* scaled(FloatOps& ops, const ScaledExp& e, llvm::Value* x) {
  if (llvm::Value* at_once = ops.scaled_or_null(e.mantissa, e.n)) return at_once;
  // 2^n in two factors, of which the second is 2^64 (of float64 2^512) for a positive x, its
  // reciprocal for a negative one.
  const unsigned to_exponent = ops.mantissa_bits();
  const std::uint64_t half_range = ops.is_double() ? 512 : 64;
  llvm::Value* half_sign = ops.b.CreateLShr(ops.bits(x), ops.word(1));
  llvm::Value* is_less = ops.b.CreateAnd(half_sign, ops.word((2 * half_range) << to_exponent));
  llvm::Value* second =
      ops.b.CreateSub(ops.word((ops.bias() + half_range) << to_exponent), is_less);
  llvm::Value* exponent = ops.b.CreateShl(e.power, ops.word(to_exponent));
  llvm::Value* rebiased = ops.b.CreateSub(exponent, second);
  llvm::Value* twice = ops.word((2 * ops.bias()) << to_exponent);
  llvm::Value* first = ops.from_bits(ops.b.CreateAdd(rebiased, twice));
  return ops.mul(ops.mul(e.mantissa, first), ops.from_bits(second));
}

}  // namespace solway::codegen::detail
