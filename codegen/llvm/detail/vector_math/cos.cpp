#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/reduced_angle.h"

namespace solway::codegen::detail {

llvm::Value* float_cos(llvm::IRBuilder<>& b, llvm::Value* x) {
  const ReducedAngle angle = reduced_angle(b, x);
  FloatOps ops(b, angle.r);
  llvm::Value* swaps = ops.is_odd(angle.quarter);
  llvm::Value* turned = b.CreateSelect(swaps, sine(ops, angle.r), cosine(ops, angle.r));
  // The signs of four quarters: + - - +.
  llvm::Value* next = b.CreateAdd(angle.quarter, ops.word(1));
  return narrowed(b, ops.negated_if_odd(turned, b.CreateLShr(next, ops.word(1))));
}

}  // namespace solway::codegen::detail
