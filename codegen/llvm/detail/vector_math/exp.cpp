#include <cstdint>
#include <iterator>

#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {
namespace {

/// By eighths of powers of 2: x = n ln(2) / 8 + r with |r| <= ln(2) / 16, for which four terms are
/// enough. 2^(n / 8) comes in two factors, of which the second is 2^64 for a positive x, and 2^-64
/// for a negative one, as those of `scaled`.
llvm::Value* by_eighths(FloatOps& ops, llvm::Value* bounded, llvm::Value* x) {
  constexpr double kEighthsE = 0x1.71547652b82fep3;  // 8 / ln(2)
  constexpr double kHigh = 0x1.62e4p-4;              // ln(2) / 8 in 15 bits, and the rest
  constexpr double kLow = 0x1.7f7d1cp-23;
  constexpr std::uint64_t kHalfRange = 64;
  llvm::Value* to_integer = ops.number(ops.to_integer());
  llvm::Value* shifted = ops.fma(bounded, ops.number(kEighthsE), to_integer);
  llvm::Value* n = ops.sub(shifted, to_integer);
  llvm::Value* r = ops.fma(n, ops.number(-kLow), ops.fma(n, ops.number(-kHigh), bounded));
  llvm::Value* less_one = ops.mul(ops.polynomial(r, kExpNear), r);
  llvm::Value* eighths = ops.bits(shifted);
  llvm::Value* is_less = ops.b.CreateAnd(ops.b.CreateLShr(ops.bits(x), ops.word(1)),
                                         ops.word((2 * kHalfRange) << 23U));
  llvm::Value* exponent = ops.b.CreateAdd(ops.b.CreateShl(eighths, ops.word(20)), is_less);
  llvm::Value* power =
      ops.from_bits(ops.b.CreateAdd(ops.bits(ops.picked(eighths, kExpPowers)), exponent));
  llvm::Value* second =
      ops.from_bits(ops.b.CreateSub(ops.word((ops.bias() + kHalfRange) << 23U), is_less));
  return ops.mul(ops.fma(power, less_one, power), second);
}

/// By sixteenths of powers of 2, for which three terms are enough: x = n ln(2) + r with
/// |r| <= ln(2) / 32, where 16 n is whole and the instruction that scales takes what n lies above.
llvm::Value* by_sixteenths(FloatOps& ops, llvm::Value* bounded, llvm::Value* x) {
  constexpr unsigned kBits = 4;
  const ReducedExp e = reduced_exp(ops, bounded, kBits);
  llvm::Value* less_one = ops.polynomial(e.r, kExpNearer);
  llvm::Value* power = ops.picked(e.power, kExpSixteenths);
  llvm::Value* whole = ops.b.CreateLShr(e.power, ops.word(kBits));
  return scaled(ops, {ops.fma(power, less_one, power), e.n, whole}, x);
}

}  // namespace

llvm::Value* float_exp(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  // Beyond these the result is infinity, and 0.
  const double most = ops.is_double() ? 710 : 89;
  const double least = ops.is_double() ? -746 : -104;
  llvm::Value* bounded = ops.at_least(ops.at_most(x, most), least);
  if (!ops.is_double() && ops.picks(std::size(kExpSixteenths))) {
    return by_sixteenths(ops, bounded, x);
  }
  if (!ops.is_double() && ops.picks(std::size(kExpPowers))) return by_eighths(ops, bounded, x);
  return scaled(ops, scaled_exp(ops, bounded), x);
}

}  // namespace solway::codegen::detail
