#include <limits>

#include "codegen/llvm/detail/vector_math/coefficients.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_log.h"

namespace solway::codegen::detail {

llvm::Value* float_log1p(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  llvm::Value* one = ops.number(1);
  // n from the rounded sum; f = (1 + x) 2^-n - 1 from x itself. In quarters: 2^-127 would be no
  // normal number.
  llvm::Value* sum = ops.add(x, one);
  llvm::Value* above = b.CreateSub(ops.bits(sum), ops.word(0x3f3504f3));
  llvm::Value* exponent = b.CreateAShr(above, ops.word(23));
  llvm::Value* down = b.CreateSub(ops.word(129U << 23), b.CreateShl(exponent, ops.word(23)));
  llvm::Value* scale = ops.from_bits(down);
  llvm::Value* quarter = ops.number(0.25);
  llvm::Value* of_one = ops.fma(scale, quarter, ops.number(-1));
  llvm::Value* f = ops.fma(ops.mul(x, quarter), scale, of_one);
  llvm::Value* n = b.CreateSIToFP(exponent, x->getType());
  llvm::Value* low = ops.mul(n, ops.number(0x1.7f7d1cp-20));
  llvm::Value* tail = ops.fma(ops.mul(f, f), ops.polynomial(f, kLog), low);
  llvm::Value* result = ops.fma(n, ops.number(0x1.62e4p-1), ops.add(f, tail));
  result = of_every_number(ops, sum, result);
  // Of the smallest numbers a quarter has too few bits; and -0 stays.
  return b.CreateSelect(b.CreateFCmpOLT(ops.abs(x), ops.number(0x1p-25)), x, result);
}

}  // namespace solway::codegen::detail
