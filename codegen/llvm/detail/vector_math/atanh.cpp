#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_atanh(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* wide = widened(b, x);
  FloatOps ops(b, wide);
  // log((1 + |x|) / (1 - |x|)) / 2, where that is not too near 1; else by its series. Beyond 1 the
  // ratio is negative.
  llvm::Value* magnitude = ops.abs(wide);
  llvm::Value* one = ops.number(1);
  llvm::Value* ratio = ops.div(ops.add(one, magnitude), ops.sub(one, magnitude));
  llvm::Value* log = double_log(ops, scaled_log_of_normal(ops, ratio));
  llvm::Value* large = ops.mul(of_every_number(ops, ratio, log), ops.number(0.5));
  llvm::Value* square = ops.mul(wide, wide);
  constexpr double kSeries[] = {1.0 / 3, 1.0 / 5};
  llvm::Value* small = ops.fma(ops.mul(wide, square), ops.polynomial(square, kSeries), wide);
  llvm::Value* is_small = b.CreateFCmpOLT(magnitude, ops.number(0x1p-8));
  return narrowed(b, b.CreateSelect(is_small, small, ops.copysign(large, wide)));
}

}  // namespace solway::codegen::detail
