#include "codegen/llvm/detail/vector_math/scaled_log.h"

#include <limits>

#include "codegen/llvm/detail/vector_math/coefficients.h"

namespace solway::codegen::detail {
namespace {

/// sqrt(1/2).
constexpr std::uint64_t kRootOfHalfOfFloat = 0x3f3504f3;
constexpr std::uint64_t kRootOfHalfOfDouble = 0x3fe6a09e667f3bcd;

/// An integer in [0, 2^52) as a float64. AVX2 has no vector form of the conversion.
llvm::Value* as_double(FloatOps& ops, llvm::Value* integer) {
  constexpr double kUnit = 0x1p52;
  llvm::Value* above = ops.b.CreateOr(integer, ops.bits(ops.number(kUnit)));
  return ops.sub(ops.from_bits(above), ops.number(kUnit));
}

}  // namespace

ScaledLog scaled_log_of_normal(FloatOps& ops, llvm::Value* x) {
  llvm::IRBuilder<>& b = ops.b;
  const unsigned to_exponent = ops.mantissa_bits();
  // With the bias, so that the exponent is not negative.
  const std::uint64_t one = ops.bias() << to_exponent;
  llvm::Value* above = b.CreateAdd(ops.bits(x), ops.word(one - kRootOfHalfOfDouble));
  llvm::Value* exponent = b.CreateLShr(above, ops.word(to_exponent));
  llvm::Value* whole = b.CreateSub(b.CreateShl(exponent, ops.word(to_exponent)), ops.word(one));
  llvm::Value* f = ops.sub(ops.from_bits(b.CreateSub(ops.bits(x), whole)), ops.number(1));
  return {f, ops.sub(as_double(ops, exponent), ops.number(static_cast<double>(ops.bias())))};
}

ScaledLog scaled_log(FloatOps& ops, llvm::Value* x) {
  llvm::IRBuilder<>& b = ops.b;
  llvm::Value* is_small = b.CreateFCmpOLT(x, ops.number(ops.is_double() ? 0x1p-1022 : 0x1p-126));
  llvm::Value* scale = ops.number(ops.is_double() ? 0x1p52 : 0x1p23);
  llvm::Value* normal = b.CreateSelect(is_small, ops.mul(x, scale), x);
  const double mantissa_bits = ops.mantissa_bits();
  llvm::Value* lost = b.CreateSelect(is_small, ops.number(mantissa_bits), ops.number(0));
  if (ops.is_double()) {
    const ScaledLog l = scaled_log_of_normal(ops, normal);
    return {l.f, ops.sub(l.n, lost)};
  }
  llvm::Value* above = b.CreateSub(ops.bits(normal), ops.word(kRootOfHalfOfFloat));
  llvm::Value* exponent = b.CreateAShr(above, ops.word(23));
  llvm::Value* mantissa = b.CreateSub(ops.bits(normal), b.CreateShl(exponent, ops.word(23)));
  llvm::Value* f = ops.sub(ops.from_bits(mantissa), ops.number(1));
  return {f, ops.sub(b.CreateSIToFP(exponent, x->getType()), lost)};
}

llvm::Value* double_log(FloatOps& ops, const ScaledLog& l) {
  // log(1 + f) = 2 atanh(s) = f - f^2 / 2 + s (f^2 / 2 + R(s^2)) with s = f / (2 + f); f^2 / 2 is
  // rounded the same in both places.
  llvm::Value* s = ops.div(l.f, ops.add(l.f, ops.number(2)));
  llvm::Value* square = ops.mul(s, s);
  llvm::Value* rest = ops.mul(square, ops.polynomial(square, kDoubleLog));
  llvm::Value* half = ops.mul(ops.mul(l.f, ops.number(0.5)), l.f);
  // 42 bits of ln(2), so that the product with n is exact, and the rest.
  llvm::Value* low = ops.mul(l.n, ops.number(0x1.ef35793c7673p-45));
  llvm::Value* tail = ops.fma(s, ops.add(half, rest), low);
  llvm::Value* near_one = ops.sub(l.f, ops.sub(half, tail));
  return ops.fma(l.n, ops.number(0x1.62e42fefa38p-1), near_one);
}

llvm::Value* of_every_number(FloatOps& ops, llvm::Value* x, llvm::Value* result) {
  llvm::IRBuilder<>& b = ops.b;
  llvm::Value* zero = ops.number(0);
  llvm::Value* infinity = ops.number(std::numeric_limits<double>::infinity());
  llvm::Value* nan = ops.number(std::numeric_limits<double>::quiet_NaN());
  result = b.CreateSelect(b.CreateFCmpOLT(x, infinity), result, x);  // NaN is not below either
  result = b.CreateSelect(b.CreateFCmpOEQ(x, zero), b.CreateFNeg(infinity), result);
  return b.CreateSelect(b.CreateFCmpOLT(x, zero), nan, result);
}

}  // namespace solway::codegen::detail
