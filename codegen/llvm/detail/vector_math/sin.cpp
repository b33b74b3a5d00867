#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/reduced_angle.h"

namespace solway::codegen::detail {

llvm::Value* float_sin(llvm::IRBuilder<>& b, llvm::Value* x) {
  const ReducedAngle angle = reduced_angle(b, x);
  FloatOps ops(b, angle.r);
  llvm::Value* swaps = ops.is_odd(angle.quarter);
  llvm::Value* turned = b.CreateSelect(swaps, cosine(ops, angle.r), sine(ops, angle.r));
  turned = ops.negated_if_odd(turned, b.CreateLShr(angle.quarter, ops.word(1)));
  // That is the sine of |x|.
  FloatOps narrow(b, x);
  llvm::Value* sign = b.CreateLShr(narrow.bits(x), narrow.word(31));
  return narrow.negated_if_odd(narrowed(b, turned), sign);
}

}  // namespace solway::codegen::detail
