#include "codegen/llvm/detail/vector_math/scaled_log.h"

#include <limits>

namespace solway::codegen::detail {
namespace {

constexpr std::uint32_t kRootOfHalf = 0x3f3504f3;

}  // namespace

ScaledLog scaled_log(FloatOps& ops, llvm::Value* x) {
  llvm::IRBuilder<>& b = ops.b;
  llvm::Value* is_small = b.CreateFCmpOLT(x, ops.number(0x1p-126));
  llvm::Value* normal = b.CreateSelect(is_small, ops.mul(x, ops.number(0x1p23)), x);
  llvm::Value* above = b.CreateSub(ops.bits(normal), ops.word(kRootOfHalf));
  llvm::Value* exponent = b.CreateAShr(above, ops.word(23));
  llvm::Value* mantissa = b.CreateSub(ops.bits(normal), b.CreateShl(exponent, ops.word(23)));
  llvm::Value* f = ops.sub(ops.from_bits(mantissa), ops.number(1));
  llvm::Value* n = b.CreateSIToFP(exponent, x->getType());
  return {f, ops.sub(n, b.CreateSelect(is_small, ops.number(23), ops.number(0)))};
}

llvm::Value* of_every_number(FloatOps& ops, llvm::Value* x, llvm::Value* result) {
  llvm::IRBuilder<>& b = ops.b;
  llvm::Value* zero = ops.number(0);
  llvm::Value* infinity = ops.number(std::numeric_limits<double>::infinity());
  llvm::Value* nan = ops.number(std::numeric_limits<double>::quiet_NaN());
  result = b.CreateSelect(b.CreateFCmpOLT(x, infinity), result, x);  // NaN is not below either
  result = b.CreateSelect(b.CreateFCmpOEQ(x, zero), b.CreateFNeg(infinity), result);
  return b.CreateSelect(b.CreateFCmpOLT(x, zero), nan, result);
}

}  // namespace solway::codegen::detail
