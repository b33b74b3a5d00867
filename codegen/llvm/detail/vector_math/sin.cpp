#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/reduced_angle.h"

namespace solway::codegen::detail {

llvm::Value* float_sin(llvm::IRBuilder<>& b, llvm::Value* x) {
  const ReducedAngle angle = reduced_angle(b, x);
  FloatOps ops(b, angle.r);
  llvm::Value* of_magnitude = narrowed(b, sine(ops, angle));
  FloatOps narrow(b, x);
  llvm::Value* sign = b.CreateLShr(narrow.bits(x), narrow.word(31));
  return narrow.negated_if_odd(of_magnitude, sign);
}

}  // namespace solway::codegen::detail
