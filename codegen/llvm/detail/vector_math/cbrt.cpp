#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_cbrt(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* wide = widened(b, x);
  FloatOps ops(b, wide);
  // exp(log(|x|) / 3), which is so near that cubes have their roots.
  llvm::Value* magnitude = ops.abs(wide);
  llvm::Value* log = double_log(ops, scaled_log_of_normal(ops, magnitude));
  llvm::Value* third = ops.mul(log, ops.number(1.0 / 3));
  llvm::Value* root = ops.copysign(scaled_within(ops, scaled_exp(ops, third)), wide);
  // Zeros, infinities and NaN are their own.
  llvm::Value* is_number = b.CreateAnd(b.CreateFCmpOGT(magnitude, ops.number(0)),
                                       b.CreateFCmpOLT(magnitude, ops.number(0x1p128)));
  return narrowed(b, b.CreateSelect(is_number, root, wide));
}

}  // namespace solway::codegen::detail
