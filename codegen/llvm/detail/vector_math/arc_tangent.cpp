#include "codegen/llvm/detail/vector_math/arc_tangent.h"

#include <limits>

#include "codegen/llvm/detail/vector_math/coefficients.h"

namespace solway::codegen::detail {

llvm::Value* arc_tangent(FloatOps& ops, llvm::Value* y, llvm::Value* x) {
  llvm::IRBuilder<>& b = ops.b;
  constexpr double kPi = 0x1.921fb54442d18p1;
  llvm::Value* up = ops.abs(y);
  llvm::Value* along = ops.abs(x);
  llvm::Value* is_steep = b.CreateFCmpOGT(up, along);
  llvm::Value* less = b.CreateSelect(is_steep, along, up);
  llvm::Value* more = b.CreateSelect(is_steep, up, along);
  llvm::Value* ratio = ops.div(less, more);
  // Of two zeros 0, of two infinities 1.
  llvm::Value* zero = ops.number(0);
  llvm::Value* one = ops.number(1);
  llvm::Value* of_same = b.CreateSelect(b.CreateFCmpOEQ(more, zero), zero, one);
  ratio = b.CreateSelect(b.CreateFCmpOEQ(less, more), of_same, ratio);
  llvm::Value* square = ops.mul(ratio, ratio);
  llvm::Value* angle = ops.fma(ops.mul(ratio, square), ops.polynomial(square, kArcTangent), ratio);
  angle = b.CreateSelect(is_steep, ops.sub(ops.number(kPi / 2), angle), angle);
  llvm::Value* is_left = ops.is_odd(b.CreateLShr(ops.bits(x), ops.word(63)));
  angle = b.CreateSelect(is_left, ops.sub(ops.number(kPi), angle), angle);
  llvm::Value* nan = ops.number(std::numeric_limits<double>::quiet_NaN());
  return b.CreateSelect(b.CreateFCmpUNO(x, y), nan, ops.copysign(angle, y));
}

llvm::Value* other_leg(FloatOps& ops, llvm::Value* x) {
  llvm::Value* one = ops.number(1);
  return ops.sqrt(ops.mul(ops.sub(one, x), ops.add(one, x)));
}

}  // namespace solway::codegen::detail
