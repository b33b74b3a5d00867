#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_erf(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  llvm::Value* small = ops.fma(x, ops.polynomial(ops.mul(x, x), kErfSmall), x);
  // 1 - exp(log(1 - erf(|x|))). From 4 on it is 1.
  llvm::Value* magnitude = ops.abs(x);
  llvm::Value* bounded = ops.at_most(magnitude, 4);
  llvm::Value* e = scaled_within(ops, scaled_exp(ops, ops.polynomial(bounded, kErfLarge)));
  llvm::Value* large = ops.sub(ops.number(1), e);
  llvm::Value* is_small = b.CreateFCmpOLT(magnitude, ops.number(1));
  return b.CreateSelect(is_small, small, ops.copysign(large, x));
}

}  // namespace solway::codegen::detail
