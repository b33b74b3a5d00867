#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_log(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  if (ops.is_double()) return of_every_number(ops, x, double_log(ops, scaled_log(ops, x)));
  const ScaledLog l = scaled_log(ops, x);
  // 16 bits of ln(2), so that the product with n is exact, and the rest.
  llvm::Value* low = ops.mul(l.n, ops.number(0x1.7f7d1cp-20));
  llvm::Value* tail = ops.fma(ops.mul(l.f, l.f), ops.polynomial(l.f, kLog), low);
  llvm::Value* result = ops.fma(l.n, ops.number(0x1.62e4p-1), ops.add(l.f, tail));
  return of_every_number(ops, x, result);
}

}  // namespace solway::codegen::detail
