#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_asinh(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* wide = widened(b, x);
  FloatOps ops(b, wide);
  // log(|x| + sqrt(x^2 + 1)), where the sum is not too near 1; else by its series.
  llvm::Value* magnitude = ops.abs(wide);
  llvm::Value* square = ops.mul(wide, wide);
  llvm::Value* sum = ops.add(magnitude, ops.sqrt(ops.add(square, ops.number(1))));
  llvm::Value* large = double_log(ops, scaled_log_of_normal(ops, sum));
  constexpr double kSeries[] = {-1.0 / 6, 3.0 / 40};
  llvm::Value* small = ops.fma(ops.mul(wide, square), ops.polynomial(square, kSeries), wide);
  llvm::Value* is_small = b.CreateFCmpOLT(magnitude, ops.number(0x1p-8));
  // Infinities and NaN are their own.
  llvm::Value* is_finite = b.CreateFCmpOLT(magnitude, ops.number(0x1p128));
  llvm::Value* result = b.CreateSelect(is_finite, b.CreateSelect(is_small, small, large), wide);
  return narrowed(b, ops.copysign(result, wide));
}

}  // namespace solway::codegen::detail
