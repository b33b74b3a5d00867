#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_tanh(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  llvm::Value* square = ops.mul(x, x);
  llvm::Value* small = ops.fma(ops.mul(x, square), ops.polynomial(square, kTanh, kDoubleTanh), x);
  // 1 - 2 e / (1 + e) with e = exp(-2 |x|). From 10 on, of float64 from 20 on, it is 1.
  llvm::Value* magnitude = ops.abs(x);
  llvm::Value* argument =
      ops.mul(ops.at_most(magnitude, ops.is_double() ? 20 : 10), ops.number(-2));
  llvm::Value* e = scaled_within(ops, scaled_exp(ops, argument));
  llvm::Value* one = ops.number(1);
  llvm::Value* large = ops.sub(one, ops.div(ops.add(e, e), ops.add(one, e)));
  llvm::Value* is_small = b.CreateFCmpOLT(magnitude, ops.number(0.625));
  return ops.copysign(b.CreateSelect(is_small, small, large), x);
}

}  // namespace solway::codegen::detail
