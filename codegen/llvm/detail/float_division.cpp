#include "codegen/llvm/detail/float_division.h"

#include <cmath>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include "codegen/llvm/detail/math.h"
#include "codegen/llvm/detail/vector_engine/engine.h"
#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

/// Of quotients of two float32 below this one their float64 is not rounded to the next integer, and
/// a product of a divisor and a whole number of so many bits is exact.
constexpr double kLargeOfFloats = 0x1p29;

/// The magnitude of a remainder, where `quotient` is not large.
struct Remainder {
  llvm::Value* magnitude;
  llvm::Value* quotient;  ///< of the magnitudes, with fractions
};

/// Of magnitudes; `ops` rounds multiply-adds once, or the product of quotient and divisor is exact.
Remainder remainder_of(FloatOps& ops, llvm::Value* x, llvm::Value* y) {
  Builder& b = ops.b;
  llvm::Value* zero = ops.number(0);
  llvm::Value* quotient = ops.div(x, y);
  llvm::Value* whole = b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient);
  llvm::Value* rest = ops.fma(b.CreateFNeg(whole), y, x);
  // A quotient just below a whole number was rounded to it.
  rest = b.CreateSelect(b.CreateFCmpOLT(rest, zero), ops.add(rest, y), rest);
  // Of infinite divisors, too, which times 0 are NaN.
  return {b.CreateSelect(b.CreateFCmpOEQ(whole, zero), x, rest), quotient};
}

/// `magnitude`, unless a quotient is large.
llvm::Value* or_of_library(Builder& b, DType type, llvm::Value* x, llvm::Value* y,
                           llvm::Value* is_large, llvm::Value* magnitude) {
  llvm::Value* any = is_large->getType()->isVectorTy() ? b.CreateOrReduce(is_large) : is_large;
  llvm::BasicBlock* before = b.GetInsertBlock();
  auto* on_large = llvm::BasicBlock::Create(b.getContext(), "large", before->getParent());
  auto* after = llvm::BasicBlock::Create(b.getContext(), "divided", before->getParent());
  b.CreateCondBr(any, on_large, after,
                 llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  b.SetInsertPoint(on_large);
  llvm::Value* by_library = emit_math(b, "fmod", type, {x, y});
  on_large = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  llvm::PHINode* phi = b.CreatePHI(magnitude->getType(), 2);
  phi->addIncoming(magnitude, before);
  phi->addIncoming(by_library, on_large);
  return phi;
}

/// Of positive float64: y 2^k, k at least 0, of which x is 2^50 to 2^52 times as much, or else y.
llvm::Value* multiple_below(FloatOps& ops, llvm::Value* x, llvm::Value* y) {
  Builder& b = ops.b;
  constexpr std::uint64_t kMantissaBits = 52;
  const auto exponent = [&](llvm::Value* v) {
    return b.CreateLShr(ops.bits(v), ops.word(kMantissaBits));
  };
  const auto power = [&](llvm::Value* n) {
    return ops.from_bits(
        b.CreateShl(b.CreateAdd(n, ops.word(ops.bias())), ops.word(kMantissaBits)));
  };
  // The exponent of a number below 2^-1022 is that of a multiple.
  llvm::Value* is_small = b.CreateFCmpOLT(y, ops.number(0x1p-960));
  llvm::Value* scaled = ops.mul(y, b.CreateSelect(is_small, ops.number(0x1p54), ops.number(1)));
  llvm::Value* lowered = b.CreateSelect(is_small, ops.word(54), ops.word(0));
  llvm::Value* distance = b.CreateAdd(b.CreateSub(exponent(x), exponent(scaled)), lowered);
  llvm::Value* k = b.CreateBinaryIntrinsic(
      llvm::Intrinsic::smax, b.CreateSub(distance, ops.word(kMantissaBits - 1)), ops.word(0));
  llvm::Value* half = b.CreateLShr(k, ops.word(1));  // 2^k may be beyond the largest number
  return ops.mul(ops.mul(y, power(half)), power(b.CreateSub(k, half)));
}

/// Of magnitudes, vectors of float64, without a call: as long as a quotient is large, each turn of
/// a loop takes the remainder by a multiple of the divisor, which has the same remainder.
llvm::Value* remainder_in_steps(FloatOps& ops, llvm::Value* x, llvm::Value* y) {
  Builder& b = ops.b;
  llvm::BasicBlock* before = b.GetInsertBlock();
  auto* step = llvm::BasicBlock::Create(b.getContext(), "large", before->getParent());
  auto* after = llvm::BasicBlock::Create(b.getContext(), "divided", before->getParent());
  const auto branch = [&](llvm::Value* rest) {
    llvm::Value* is_large = b.CreateFCmpOGE(ops.div(rest, y), ops.number(0x1p52));
    b.CreateCondBr(b.CreateOrReduce(is_large), step, after,
                   llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  };
  branch(x);
  b.SetInsertPoint(step);
  llvm::PHINode* large = b.CreatePHI(x->getType(), 2);
  llvm::Value* smaller = remainder_of(ops, large, multiple_below(ops, large, y)).magnitude;
  branch(smaller);
  large->addIncoming(x, before);
  large->addIncoming(smaller, step);
  b.SetInsertPoint(after);
  llvm::PHINode* rest = b.CreatePHI(x->getType(), 2);
  rest->addIncoming(x, before);
  rest->addIncoming(smaller, step);
  return remainder_of(ops, rest, y).magnitude;
}

}  // namespace

llvm::Value* emit_float_remainder(Builder& b, DType type, llvm::Value* x, llvm::Value* y) {
  FloatOps ops(b, x);
  if (on_vector_engine(b) && x->getType()->isVectorTy()) {
    llvm::Value* wide = ops.is_double() ? ops.abs(x) : widened(b, ops.abs(x));
    FloatOps wide_ops(b, wide);
    llvm::Value* rest =
        remainder_in_steps(wide_ops, wide, ops.is_double() ? ops.abs(y) : widened(b, ops.abs(y)));
    return ops.copysign(ops.is_double() ? rest : narrowed(b, rest), x);
  }
  llvm::Value* magnitude_x = ops.abs(x);
  llvm::Value* magnitude_y = ops.abs(y);
  llvm::Value* is_large = nullptr;
  llvm::Value* magnitude = nullptr;
  if (ops.fuses()) {
    const Remainder found = remainder_of(ops, magnitude_x, magnitude_y);
    const double large = std::ldexp(1.0, static_cast<int>(ops.mantissa_bits()));
    is_large = b.CreateFCmpOGE(found.quotient, ops.number(large));
    magnitude = found.magnitude;
  } else if (!ops.is_double()) {
    llvm::Value* wide = widened(b, magnitude_x);
    FloatOps wide_ops(b, wide);
    const Remainder found = remainder_of(wide_ops, wide, widened(b, magnitude_y));
    is_large = b.CreateFCmpOGE(found.quotient, wide_ops.number(kLargeOfFloats));
    magnitude = narrowed(b, found.magnitude);
  } else {
    return emit_math(b, "fmod", type, {x, y});
  }
  return or_of_library(b, type, x, y, is_large, ops.copysign(magnitude, x));
}

llvm::Value* emit_float_floor_div(Builder& b, DType type, llvm::Value* x, llvm::Value* y) {
  llvm::Value* zero = llvm::Constant::getNullValue(x->getType());
  llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  llvm::Value* plain = b.CreateFDiv(x, y);
  llvm::Value* mod = emit_float_remainder(b, type, x, y);
  llvm::Value* div = b.CreateFDiv(b.CreateFSub(x, mod), y);
  llvm::Value* other_sign = b.CreateXor(b.CreateFCmpOLT(y, zero), b.CreateFCmpOLT(mod, zero));
  llvm::Value* rounds_down = b.CreateAnd(b.CreateFCmpUNE(mod, zero), other_sign);
  div = b.CreateSelect(rounds_down, b.CreateFSub(div, one), div);
  // The quotient is an integer but for rounding: snap to the nearest one.
  llvm::Value* floor = b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, div);
  llvm::Value* above =
      b.CreateFCmpOGT(b.CreateFSub(div, floor), llvm::ConstantFP::get(x->getType(), 0.5));
  llvm::Value* snapped = b.CreateSelect(above, b.CreateFAdd(floor, one), floor);
  llvm::Value* signed_zero = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, plain);
  llvm::Value* result = b.CreateSelect(b.CreateFCmpUNE(div, zero), snapped, signed_zero);
  return b.CreateSelect(b.CreateFCmpOEQ(y, zero), plain, result);
}

llvm::Value* emit_float_mod(Builder& b, DType type, llvm::Value* x, llvm::Value* y) {
  llvm::Value* zero = llvm::Constant::getNullValue(x->getType());
  llvm::Value* mod = emit_float_remainder(b, type, x, y);
  llvm::Value* other_sign = b.CreateXor(b.CreateFCmpOLT(y, zero), b.CreateFCmpOLT(mod, zero));
  llvm::Value* shifted = b.CreateSelect(other_sign, b.CreateFAdd(mod, y), mod);
  llvm::Value* signed_zero = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, y);
  llvm::Value* result = b.CreateSelect(b.CreateFCmpUNE(mod, zero), shifted, signed_zero);
  return b.CreateSelect(b.CreateFCmpOEQ(y, zero), mod, result);
}

}  // namespace solway::codegen::detail
