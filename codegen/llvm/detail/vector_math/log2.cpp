#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_log2(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  const ScaledLog l = scaled_log(ops, x);
  llvm::Value* result = ops.add(l.n, ops.fma(l.f, ops.polynomial(l.f, kLog2), l.f));
  return of_every_number(ops, x, result);
}

}  // namespace solway::codegen::detail
