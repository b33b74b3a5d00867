#include "codegen/llvm/detail/vector_math/arc_tangent.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"

namespace solway::codegen::detail {

llvm::Value* float_atan2(llvm::IRBuilder<>& b, llvm::Value* y, llvm::Value* x) {
  llvm::Value* up = widened(b, y);
  FloatOps ops(b, up);
  return narrowed(b, arc_tangent(ops, up, widened(b, x)));
}

}  // namespace solway::codegen::detail
