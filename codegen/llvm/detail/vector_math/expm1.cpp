#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_expm1(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  // Beyond these the result is infinity, and -1.
  llvm::Value* bounded = ops.at_least(ops.at_most(x, 89), -18);
  const ReducedExp e = reduced_exp(ops, bounded);
  // Half of the result, as 2^128 is no float32.
  llvm::Value* half_power = ops.b.CreateSub(e.power, ops.word(1));
  llvm::Value* scale = power_of_two(ops, half_power);
  llvm::Value* half = ops.fma(exp_minus_one(ops, e), scale, ops.sub(scale, ops.number(0.5)));
  llvm::Value* result = ops.add(half, half);
  // Of the smallest numbers half has too few bits; and -0 stays.
  llvm::Value* is_small = b.CreateFCmpOLT(ops.abs(x), ops.number(0x1p-25));
  return b.CreateSelect(is_small, x, result);
}

}  // namespace solway::codegen::detail
