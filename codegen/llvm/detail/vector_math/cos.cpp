#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/reduced_angle.h"

namespace solway::codegen::detail {

llvm::Value* float_cos(llvm::IRBuilder<>& b, llvm::Value* x) {
  const ReducedAngle angle = reduced_angle(b, x);
  FloatOps ops(b, angle.r);
  llvm::Value* next = b.CreateAdd(angle.quarter, ops.word(1));
  return narrowed(b, sine(ops, {angle.r, next}));
}

}  // namespace solway::codegen::detail
