#include "codegen/llvm/detail/vector_math/arc_tangent.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"

namespace solway::codegen::detail {

llvm::Value* float_acos(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* cosine = widened(b, x);
  FloatOps ops(b, cosine);
  return narrowed(b, arc_tangent(ops, other_leg(ops, cosine), cosine));
}

}  // namespace solway::codegen::detail
