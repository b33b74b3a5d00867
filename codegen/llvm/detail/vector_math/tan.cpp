#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/reduced_angle.h"

namespace solway::codegen::detail {

llvm::Value* float_tan(llvm::IRBuilder<>& b, llvm::Value* x) {
  const ReducedAngle angle = reduced_angle(b, x);
  FloatOps ops(b, angle.r);
  llvm::Value* swaps = ops.is_odd(angle.quarter);
  llvm::Value* s = sine(ops, angle.r);
  llvm::Value* c = cosine(ops, angle.r);
  // sin / cos, or -cos / sin.
  llvm::Value* ratio = ops.div(b.CreateSelect(swaps, c, s), b.CreateSelect(swaps, s, c));
  FloatOps narrow(b, x);
  llvm::Value* sign = b.CreateLShr(narrow.bits(x), narrow.word(31));
  return narrow.negated_if_odd(narrowed(b, ops.negated_if_odd(ratio, angle.quarter)), sign);
}

}  // namespace solway::codegen::detail
