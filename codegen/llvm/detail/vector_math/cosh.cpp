#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_cosh(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* wide = widened(b, x);
  FloatOps ops(b, wide);
  // (e + 1 / e) / 2 with e = exp(|x|). From 90 on it is infinite.
  llvm::Value* e = scaled_within(ops, scaled_exp(ops, ops.at_most(ops.abs(wide), 90)));
  llvm::Value* twice = ops.add(e, ops.div(ops.number(1), e));
  return narrowed(b, ops.mul(twice, ops.number(0.5)));
}

}  // namespace solway::codegen::detail
