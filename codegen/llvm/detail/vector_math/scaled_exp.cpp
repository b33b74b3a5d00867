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

ScaledExp scaled_exp(FloatOps& ops, llvm::Value* x) {
  llvm::Value* shifted = ops.fma(x, ops.number(kLog2E), ops.number(kToInteger));
  llvm::Value* n = ops.sub(shifted, ops.number(kToInteger));
  llvm::Value* r = ops.fma(n, ops.number(-kLn2High), x);
  r = ops.fma(n, ops.number(-kLn2Low), r);
  llvm::Value* tail = ops.mul(ops.mul(r, r), ops.polynomial(r, kExp));
  return {ops.add(r, tail), ops.bits(shifted)};
}

ScaledExp scaled_exp2(FloatOps& ops, llvm::Value* x) {
  llvm::Value* shifted = ops.add(x, ops.number(kToInteger));
  llvm::Value* r = ops.sub(x, ops.sub(shifted, ops.number(kToInteger)));
  return {ops.mul(r, ops.polynomial(r, kExp2)), ops.bits(shifted)};
}

llvm::Value* power_of_two(FloatOps& ops, llvm::Value* power) {
  llvm::Value* exponent = ops.b.CreateShl(power, ops.word(23));
  return ops.from_bits(ops.b.CreateAdd(exponent, ops.word(127U << 23)));
}

llvm::Value* scaled(FloatOps& ops, const ScaledExp& e, llvm::Value* x) {
  // 2^n in two factors, of which the second is 2^64 for a positive x, 2^-64 for a negative one.
  llvm::Value* half_sign = ops.b.CreateLShr(ops.bits(x), ops.word(1));
  llvm::Value* is_less = ops.b.CreateAnd(half_sign, ops.word(0x40000000));
  llvm::Value* second = ops.b.CreateSub(ops.word((127U + 64U) << 23), is_less);
  llvm::Value* exponent = ops.b.CreateShl(e.power, ops.word(23));
  llvm::Value* rebiased = ops.b.CreateSub(exponent, second);
  llvm::Value* first = ops.from_bits(ops.b.CreateAdd(rebiased, ops.word(254U << 23)));
  return ops.mul(ops.fma(e.rest, first, first), ops.from_bits(second));
}

}  // namespace solway::codegen::detail
