#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_log10(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  const ScaledLog l = scaled_log(ops, x);
  // log10(e) and log10(2) in two parts; the products with their first parts are exact, n's always
  // and f's where the cpu rounds once.
  llvm::Value* tail = ops.mul(ops.mul(l.f, l.f), ops.polynomial(l.f, kLog10));
  tail = ops.fma(l.n, ops.number(0x1.3509f8p-18), tail);
  tail = ops.fma(l.f, ops.number(-0x1.09d5b2p-15), tail);
  llvm::Value* near_one = ops.fma(l.f, ops.number(0x1.bccp-2), tail);
  llvm::Value* result = ops.fma(l.n, ops.number(0x1.344p-2), near_one);
  return of_every_number(ops, x, result);
}

}  // namespace solway::codegen::detail
