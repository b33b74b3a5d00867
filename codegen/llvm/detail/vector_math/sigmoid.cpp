#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "codegen/llvm/detail/vector_math/scaled_exp.h"

namespace solway::codegen::detail {

llvm::Value* float_sigmoid(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps ops(b, x);
  // e / (1 + e) of a negative x and 1 / (1 + e) of a positive one, with e = exp(-|x|) <= 1.
  const double least = ops.is_double() ? -746 : -104;  // of which e is 0
  llvm::Value* negative = ops.at_least(b.CreateFNeg(ops.abs(x)), least);
  llvm::Value* e = scaled(ops, scaled_exp(ops, negative), negative);
  llvm::Value* one = ops.number(1);
  llvm::Value* is_negative = b.CreateFCmpOLT(x, ops.number(0));
  llvm::Value* sum = ops.add(one, e);
  llvm::Value* result = ops.div(b.CreateSelect(is_negative, e, one), sum);
  // What the sum lost counts most where e is small; there the quotient is low / 1 too large.
  llvm::Value* lost = ops.sub(e, ops.sub(sum, one));
  return ops.fma(b.CreateFNeg(result), lost, result);
}

}  // namespace solway::codegen::detail
