#include <limits>

#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {
namespace {

/// What kind of number an exponent is.
struct WholeNumber {
  llvm::Value* is_whole;  ///< infinity too
  llvm::Value* is_odd;    ///< of whole ones
};

WholeNumber whole_number(FloatOps& ops, llvm::Value* y) {
  // From 2^24 on every float32 is even.
  llvm::Value* bounded = ops.at_most(ops.abs(y), 0x1p25);
  llvm::Value* shifted = ops.add(bounded, ops.number(0x1p52));
  llvm::Value* nearest = ops.sub(shifted, ops.number(0x1p52));
  llvm::Value* is_whole = ops.b.CreateFCmpOEQ(nearest, bounded);
  return {is_whole, ops.b.CreateAnd(is_whole, ops.is_odd(ops.bits(shifted)))};
}

}  // namespace

llvm::Value* float_pow(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y) {
  FloatOps narrow(b, x);
  llvm::Value* magnitude = widened(b, narrow.abs(x));
  llvm::Value* exponent = widened(b, y);
  // exp(y log(|x|)) in float64, where no float32 is below the normal numbers.
  FloatOps ops(b, magnitude);
  llvm::Value* log = double_log(ops, scaled_log_of_normal(ops, magnitude));
  llvm::Value* product = ops.mul(exponent, of_every_number(ops, magnitude, log));
  // Beyond these the result is infinity, and 0.
  llvm::Value* bounded = ops.at_least(ops.at_most(product, 89), -104);
  llvm::Value* power = narrowed(b, scaled_within(ops, scaled_exp(ops, bounded)));
  // 1 to every power, and -1 to infinite ones, whose product is no number.
  llvm::Value* one = narrow.number(1);
  power = b.CreateSelect(b.CreateFCmpOEQ(narrow.abs(x), one), one, power);
  const WholeNumber whole = whole_number(ops, exponent);
  llvm::Value* sign = b.CreateAnd(narrow.bits(x), narrow.word(0x80000000));
  llvm::Value* signed_power = narrow.from_bits(b.CreateOr(narrow.bits(power), sign));
  power = b.CreateSelect(whole.is_odd, signed_power, power);
  // Finite negative numbers have no powers but whole ones.
  llvm::Value* zero = narrow.number(0);
  llvm::Value* is_finite =
      b.CreateFCmpOGT(x, narrow.number(-std::numeric_limits<double>::infinity()));
  llvm::Value* is_negative = b.CreateAnd(b.CreateFCmpOLT(x, zero), is_finite);
  llvm::Value* nan = narrow.number(std::numeric_limits<double>::quiet_NaN());
  power = b.CreateSelect(b.CreateAnd(is_negative, b.CreateNot(whole.is_whole)), nan, power);
  return b.CreateSelect(b.CreateFCmpOEQ(y, zero), one, power);
}

}  // namespace solway::codegen::detail
