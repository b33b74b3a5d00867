#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_exp(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  // Beyond these the result is infinity, and 0.
  const double most = ops.is_double() ? 710 : 89;
  const double least = ops.is_double() ? -746 : -104;
  llvm::Value* bounded = ops.at_least(ops.at_most(x, most), least);
  return scaled(ops, scaled_exp(ops, bounded), x);
}

}  // namespace solway::codegen::detail
