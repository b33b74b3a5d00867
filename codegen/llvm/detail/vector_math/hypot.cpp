#include <limits>

#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {

llvm::Value* float_hypot(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y) {
  llvm::Value* wide_x = widened(b, x);
  llvm::Value* wide_y = widened(b, y);
  // In float64, where both squares are exact.
  FloatOps ops(b, wide_x);
  llvm::Value* length = narrowed(b, ops.sqrt(ops.fma(wide_x, wide_x, ops.mul(wide_y, wide_y))));
  // Infinite also where the other one is NaN.
  FloatOps narrow(b, x);
  llvm::Value* infinity = narrow.number(std::numeric_limits<double>::infinity());
  llvm::Value* is_infinite = b.CreateOr(b.CreateFCmpOEQ(narrow.abs(x), infinity),
                                        b.CreateFCmpOEQ(narrow.abs(y), infinity));
  return b.CreateSelect(is_infinite, infinity, length);
}

}  // namespace solway::codegen::detail
