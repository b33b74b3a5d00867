#include "codegen/llvm/detail/vector_math/arc_tangent.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"

namespace solway::codegen::detail {

llvm::Value* float_atan(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* up = widened(b, x);
  FloatOps ops(b, up);
  return narrowed(b, arc_tangent(ops, up, ops.number(1)));
}

}  // namespace solway::codegen::detail
