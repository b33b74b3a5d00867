#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_exp2(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  // Beyond these the result is infinity, and 0.
  llvm::Value* bounded = ops.at_least(ops.at_most(x, 128), -151);
  return scaled(ops, scaled_exp2(ops, bounded), x);
}

}  // namespace solway::codegen::detail
