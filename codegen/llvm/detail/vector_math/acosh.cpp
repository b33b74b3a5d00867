#include <limits>

#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_acosh(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* wide = widened(b, x);
  FloatOps ops(b, wide);
  llvm::Value* one = ops.number(1);
  llvm::Value* root = ops.sqrt(ops.mul(ops.sub(wide, one), ops.add(wide, one)));
  llvm::Value* sum = ops.add(wide, root);
  llvm::Value* log = double_log(ops, scaled_log_of_normal(ops, sum));
  llvm::Value* result = of_every_number(ops, sum, log);
  llvm::Value* nan = ops.number(std::numeric_limits<double>::quiet_NaN());
  return narrowed(b, b.CreateSelect(b.CreateFCmpOLT(wide, one), nan, result));
}

}  // namespace solway::codegen::detail
