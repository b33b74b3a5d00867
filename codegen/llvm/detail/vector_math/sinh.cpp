#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_sinh(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* wide = widened(b, x);
  FloatOps ops(b, wide);
  llvm::Value* square = ops.mul(wide, wide);
  llvm::Value* small = ops.fma(ops.mul(wide, square), ops.polynomial(square, kSinh), wide);
  // (e - 1 / e) / 2 with e = exp(|x|). From 90 on it is infinite.
  llvm::Value* magnitude = ops.abs(wide);
  llvm::Value* e = scaled_within(ops, scaled_exp(ops, ops.at_most(magnitude, 90)));
  llvm::Value* twice = ops.sub(e, ops.div(ops.number(1), e));
  llvm::Value* large = ops.copysign(ops.mul(twice, ops.number(0.5)), wide);
  llvm::Value* is_small = b.CreateFCmpOLT(magnitude, ops.number(1));
  return narrowed(b, b.CreateSelect(is_small, small, large));
}

}  // namespace solway::codegen::detail
