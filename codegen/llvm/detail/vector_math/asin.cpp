#include "codegen/llvm/detail/vector_math/arc_tangent.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"

namespace solway::codegen::detail {

llvm::Value* float_asin(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* sine = widened(b, x);
  FloatOps ops(b, sine);
  return narrowed(b, arc_tangent(ops, sine, other_leg(ops, sine)));
}

}  // namespace solway::codegen::detail
