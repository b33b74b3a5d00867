#include "codegen/llvm/detail/arith.h"

#include <functional>
#include <numeric>
#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/constant_power.h"
#include "codegen/llvm/detail/float_division.h"
#include "codegen/llvm/detail/half.h"
#include "codegen/llvm/detail/lanes.h"
#include "codegen/llvm/detail/math.h"
#include "codegen/llvm/detail/types.h"
#include "codegen/llvm/detail/vector_engine/engine.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

[[noreturn]] void fail(std::string_view op, DType type) {
  throw InternalError({{},
                       "operation '" + std::string(op) + "' in code generation",
                       "it takes no " + std::string(to_string(type)),
                       ""});
}

/// Lets the code generator round a product and a sum once (see emit_llvm).
llvm::Value* contracted(llvm::Value* v) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(v)) {
    instruction->setHasAllowContract(true);
  }
  return v;
}

/// The C form `x < y ? x : y`, and a NaN of `x` on top; one of `y` comes through the comparison.
/// One select of both conditions: of a select inside a select, where `x` is |z| and `y` zero,
/// InstCombine of LLVM 19 makes a comparison of z.
llvm::Value* float_min_max(Builder& b, BinaryOp op, llvm::Value* x, llvm::Value* y) {
  llvm::Value* first = op == BinaryOp::Min ? b.CreateFCmpOLT(x, y) : b.CreateFCmpOGT(x, y);
  return b.CreateSelect(b.CreateOr(b.CreateFCmpUNO(x, x), first), x, y);
}

llvm::Value* emit_float_binary(Builder& b, BinaryOp op, DType type, llvm::Value* x,
                               llvm::Value* y) {
  if (const FloatFunctionOfTwo function = float_function_or_null(op, type))
    return function(b, x, y);
  switch (op) {
    case BinaryOp::Add:
      return contracted(b.CreateFAdd(x, y));
    case BinaryOp::Sub:
      return b.CreateFSub(x, y);
    case BinaryOp::Mul:
      return contracted(b.CreateFMul(x, y));
    case BinaryOp::Div:
      return b.CreateFDiv(x, y);
    case BinaryOp::FloorDiv:
      return emit_float_floor_div(b, type, x, y);
    case BinaryOp::Mod:
      return emit_float_mod(b, type, x, y);
    case BinaryOp::Min:
    case BinaryOp::Max:
      return float_min_max(b, op, x, y);
    case BinaryOp::Pow:
      return emit_math(b, std::string(libm_name(op)), type, {x, y});
    case BinaryOp::Lt:
      return b.CreateFCmpOLT(x, y);
    case BinaryOp::Le:
      return b.CreateFCmpOLE(x, y);
    case BinaryOp::Gt:
      return b.CreateFCmpOGT(x, y);
    case BinaryOp::Ge:
      return b.CreateFCmpOGE(x, y);
    case BinaryOp::Eq:
      return b.CreateFCmpOEQ(x, y);
    case BinaryOp::Ne:
      return b.CreateFCmpUNE(x, y);
    case BinaryOp::Copysign:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, y);
    case BinaryOp::Fmod:
      return emit_float_remainder(b, type, x, y);
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
      return emit_math(b, std::string(libm_name(op)), type, {x, y});
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      break;
  }
  fail(to_string(op), type);
}

/// Defined for every number of bits (see BinaryOp).
llvm::Value* shift(Builder& b, BinaryOp op, llvm::Value* x, llvm::Value* y) {
  llvm::Type* type = x->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Value* most = llvm::ConstantInt::get(type, bits - 1);
  llvm::Value* is_within = b.CreateICmpULE(y, most);
  if (op == BinaryOp::ShiftRight) return b.CreateAShr(x, b.CreateSelect(is_within, y, most));
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  return b.CreateSelect(is_within, b.CreateShl(x, b.CreateSelect(is_within, y, zero)), zero);
}

llvm::Value* emit_integer_binary(Builder& b, BinaryOp op, DType type, llvm::Value* x,
                                 llvm::Value* y) {
  switch (op) {
    case BinaryOp::Add:
      return b.CreateAdd(x, y);
    case BinaryOp::Sub:
      return b.CreateSub(x, y);
    case BinaryOp::Mul:
      return b.CreateMul(x, y);
    case BinaryOp::FloorDiv:
      return emit_integer_floor_div(b, x, y);
    case BinaryOp::Mod:
      return emit_integer_mod(b, x, y);
    case BinaryOp::Min:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
    case BinaryOp::Max:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
    case BinaryOp::Pow:
      return emit_integer_power(b, x, y);
    case BinaryOp::Lt:
      return b.CreateICmpSLT(x, y);
    case BinaryOp::Le:
      return b.CreateICmpSLE(x, y);
    case BinaryOp::Gt:
      return b.CreateICmpSGT(x, y);
    case BinaryOp::Ge:
      return b.CreateICmpSGE(x, y);
    case BinaryOp::Eq:
      return b.CreateICmpEQ(x, y);
    case BinaryOp::Ne:
      return b.CreateICmpNE(x, y);
    case BinaryOp::And:
    case BinaryOp::BitAnd:
      return b.CreateAnd(x, y);
    case BinaryOp::Or:
    case BinaryOp::BitOr:
      return b.CreateOr(x, y);
    case BinaryOp::BitXor:
      return b.CreateXor(x, y);
    case BinaryOp::Fmod:
      return emit_integer_remainder(b, x, y);
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      return shift(b, op, x, y);
    case BinaryOp::Div:
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
    case BinaryOp::Copysign:
      break;
  }
  fail(to_string(op), type);
}

llvm::Value* sign(Builder& b, DType type, llvm::Value* a) {
  llvm::Value* zero = llvm::Constant::getNullValue(a->getType());
  if (!is_float(type)) {
    llvm::Value* positive = b.CreateZExt(b.CreateICmpSGT(a, zero), a->getType());
    return b.CreateAdd(positive, b.CreateSExt(b.CreateICmpSLT(a, zero), a->getType()));
  }
  llvm::Value* one = llvm::ConstantFP::get(a->getType(), 1.0);
  llvm::Value* negative = llvm::ConstantFP::get(a->getType(), -1.0);
  llvm::Value* of_the_rest = b.CreateSelect(b.CreateFCmpUNO(a, a), a, zero);
  return b.CreateSelect(b.CreateFCmpOGT(a, zero), one,
                        b.CreateSelect(b.CreateFCmpOLT(a, zero), negative, of_the_rest));
}

/// IsInf, and IsFinite: |a| against infinity.
llvm::Value* against_infinity(Builder& b, llvm::CmpInst::Predicate predicate, llvm::Value* a) {
  llvm::Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
  return b.CreateFCmp(predicate, magnitude, llvm::ConstantFP::getInfinity(a->getType()));
}

/// Vectors of RISC-V have two conversions for it, one after the other, on which QEMU 7.2 ends;
/// those of floor have the rounding mode between them.
llvm::Value* truncated(Builder& b, llvm::Value* a) {
  const llvm::Triple triple(b.GetInsertBlock()->getModule()->getTargetTriple());
  if (!triple.isRISCV() || !a->getType()->isVectorTy()) {
    return b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, a);
  }
  llvm::Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign,
                                 b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, magnitude), a);
}

llvm::Value* one_over(Builder& b, llvm::Value* a) {
  return b.CreateFDiv(llvm::ConstantFP::get(a->getType(), 1.0), a);
}

/// Whether a float becomes an integer of its own size first: vectors of RISC-V narrow by half in
/// one instruction only, which not every emulator has, and LLVM converts doubles to integers of
/// fewer bits lane by lane for NEON.
bool converts_at_its_width(Builder& b, DType from, DType to, llvm::Value* a) {
  const llvm::Triple triple(b.GetInsertBlock()->getModule()->getTargetTriple());
  const bool is_neon = triple.isAArch64() && from == DType::Float64 &&
                       llvm::isa<llvm::FixedVectorType>(a->getType());
  const bool is_vector = a->getType()->isVectorTy();
  return is_vector && (triple.isRISCV() || is_neon) && size_bytes(to) < size_bytes(from);
}

/// The integer of a narrower type that is nearest to `a`.
llvm::Value* saturated(Builder& b, DType to, llvm::Value* a, llvm::Type* type) {
  const auto bound = [&](std::int64_t value) {
    return llvm::ConstantInt::getSigned(a->getType(), value);
  };
  a = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, bound(lowest(to)));
  a = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, bound(largest(to)));
  return b.CreateTrunc(a, type);
}

}  // namespace

llvm::Value* emit_unary(Builder& b, UnaryOp op, DType type, llvm::Value* a) {
  if (const FloatFunction function = float_function_or_null(op, type)) return function(b, a);
  switch (op) {
    case UnaryOp::Neg:
      return is_float(type) ? b.CreateFNeg(a) : b.CreateNeg(a);
    case UnaryOp::Not:
      return b.CreateNot(a);
    case UnaryOp::Abs:
      if (is_float(type)) return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, b.getFalse());
    case UnaryOp::Sqrt:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    case UnaryOp::Rsqrt:
      return one_over(b, b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a));
    case UnaryOp::Floor:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, a);
    case UnaryOp::Ceil:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, a);
    case UnaryOp::Round:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::rint, a);
    case UnaryOp::Trunc:
      return truncated(b, a);
    case UnaryOp::Sign:
      return sign(b, type, a);
    case UnaryOp::BitNot:
      return b.CreateNot(a);
    case UnaryOp::IsNan:
      return b.CreateFCmpUNO(a, a);
    case UnaryOp::IsInf:
      return against_infinity(b, llvm::CmpInst::FCMP_OEQ, a);
    case UnaryOp::IsFinite:
      return against_infinity(b, llvm::CmpInst::FCMP_OLT, a);
    case UnaryOp::Sin:
    case UnaryOp::Cos:
    case UnaryOp::Tan:
    case UnaryOp::Asin:
    case UnaryOp::Acos:
    case UnaryOp::Atan:
    case UnaryOp::Sinh:
    case UnaryOp::Cosh:
    case UnaryOp::Asinh:
    case UnaryOp::Acosh:
    case UnaryOp::Atanh:
    case UnaryOp::Exp2:
    case UnaryOp::Expm1:
    case UnaryOp::Log2:
    case UnaryOp::Log10:
    case UnaryOp::Log1p:
    case UnaryOp::Cbrt:
      return emit_math(b, std::string(libm_name(op)), type, {a});
    case UnaryOp::Exp:
    case UnaryOp::Sigmoid:
    case UnaryOp::Log:
    case UnaryOp::Tanh:
    case UnaryOp::Erf:
      break;  // of both types functions of ours
  }
  fail("unary", type);
}

llvm::Value* emit_binary(Builder& b, BinaryOp op, DType type, llvm::Value* x, llvm::Value* y) {
  if (op == BinaryOp::Pow) {
    if (llvm::Value* const power = constant_power_or_null(b, type, x, y)) return power;
  }
  return is_float(type) ? emit_float_binary(b, op, type, x, y)
                        : emit_integer_binary(b, op, type, x, y);
}

llvm::Value* emit_cast(Builder& b, DType from, DType to, llvm::Value* a) {
  if (from == to) return a;
  if (arithmetic_type(from) == DType::Float32 && from != DType::Float32) {
    return emit_cast(b, DType::Float32, to, emit_widen(b, from, a));
  }
  if (arithmetic_type(to) == DType::Float32 && to != DType::Float32) {
    // An integer that float32 may not hold goes through float64, which is rounded once.
    const bool is_wide = from != DType::Float32 && size_bytes(from) >= 4;
    const DType via = is_wide ? DType::Float64 : DType::Float32;
    return emit_narrow(b, via, to, emit_cast(b, from, via, a));
  }
  llvm::Type* type = with_lanes_of(value_type(b.getContext(), {to, {}}), a);
  llvm::Value* zero = llvm::Constant::getNullValue(a->getType());
  if (to == DType::Bool) return is_float(from) ? b.CreateFCmpUNE(a, zero) : b.CreateICmpNE(a, zero);
  if (from == DType::Bool || from == DType::UInt8) {
    return is_float(to) ? b.CreateUIToFP(a, type) : b.CreateZExtOrTrunc(a, type);
  }
  if (is_float(from)) {
    if (is_float(to)) return b.CreateFPCast(a, type);
    if (converts_at_its_width(b, from, to, a)) {
      const DType wide = size_bytes(from) == 4 ? DType::Int32 : DType::Int64;
      return saturated(b, to, emit_cast(b, from, wide, a), type);
    }
    const auto convert =
        to == DType::UInt8 ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat;
    return b.CreateIntrinsic(convert, {type, a->getType()}, {a});
  }
  return is_float(to) ? b.CreateSIToFP(a, type) : b.CreateSExtOrTrunc(a, type);
}

namespace {

/// The lanes from `first`, as many as `count`.
llvm::Value* part_of(Builder& b, llvm::Value* vector, int first, int count) {
  llvm::SmallVector<int, 16> lanes(static_cast<std::size_t>(count));
  std::iota(lanes.begin(), lanes.end(), first);
  return b.CreateShuffleVector(vector, lanes);
}

/// The second half of the lanes into the first one, until one is left: one lane after the other
/// would wait for as many operations as there are lanes. The last of an odd number waits until the
/// end.
llvm::Value* combine_halves(
    Builder& b, llvm::Value* vector,
    const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& combine) {
  auto lanes =
      static_cast<int>(llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements());
  llvm::Value* last = nullptr;
  while (lanes > 1) {
    if (lanes % 2 != 0) {
      llvm::Value* odd = b.CreateExtractElement(vector, static_cast<std::uint64_t>(lanes - 1));
      last = last == nullptr ? odd : combine(odd, last);
    }
    lanes /= 2;
    vector = combine(part_of(b, vector, 0, lanes), part_of(b, vector, lanes, lanes));
  }
  llvm::Value* result = b.CreateExtractElement(vector, std::uint64_t{0});
  return last == nullptr ? result : combine(result, last);
}

/// The largest or the smallest lane, where NaN is looked for in all of them at once: a comparison
/// that drops it is one instruction of x86.
llvm::Value* furthest_lane(Builder& b, llvm::CmpInst::Predicate is_further, llvm::Value* vector) {
  llvm::Value* is_nan = b.CreateOrReduce(b.CreateFCmpUNO(vector, vector));
  llvm::Value* number = combine_halves(b, vector, [&](llvm::Value* x, llvm::Value* y) {
    return b.CreateSelect(b.CreateFCmp(is_further, x, y), x, y);
  });
  return b.CreateSelect(is_nan, llvm::ConstantFP::getNaN(number->getType()), number);
}

bool is_x86(const Builder& b) {
  return llvm::Triple(b.GetInsertBlock()->getModule()->getTargetTriple()).isX86();
}

/// Of scalable lanes, where how the processor adds them depends on how many there are anyway, and
/// of those that one instruction adds.
llvm::Value* sum_in_any_order(Builder& b, llvm::Value* vector) {
  llvm::Value* zero = llvm::ConstantFP::getNegativeZero(vector->getType()->getScalarType());
  llvm::CallInst* sum = b.CreateFAddReduce(zero, vector);
  sum->setHasAllowReassoc(true);
  return sum;
}

llvm::Value* product_in_any_order(Builder& b, llvm::Value* vector) {
  llvm::Value* one = llvm::ConstantFP::get(vector->getType()->getScalarType(), 1);
  llvm::CallInst* product = b.CreateFMulReduce(one, vector);
  product->setHasAllowReassoc(true);
  return product;
}

}  // namespace

llvm::Value* emit_reduce_lanes(Builder& b, ReduceOp op, DType type, llvm::Value* vector) {
  const bool is_scalable = llvm::isa<llvm::ScalableVectorType>(vector->getType());
  const bool is_one_step = is_scalable || on_vector_engine(b);
  switch (op) {
    case ReduceOp::Sum:
      if (!is_float(type)) return b.CreateAddReduce(vector);
      if (is_one_step) return sum_in_any_order(b, vector);
      break;
    case ReduceOp::Prod:
      if (!is_float(type) && !is_scalable) return b.CreateMulReduce(vector);
      if (on_vector_engine(b)) return product_in_any_order(b, vector);
      break;
    case ReduceOp::Min:
      if (!is_float(type)) return b.CreateIntMinReduce(vector, /*IsSigned=*/true);
      if (is_one_step) return b.CreateFPMinimumReduce(vector);
      break;
    case ReduceOp::Max:
      if (!is_float(type)) return b.CreateIntMaxReduce(vector, /*IsSigned=*/true);
      if (is_one_step) return b.CreateFPMaximumReduce(vector);
      break;
    case ReduceOp::All:
      return b.CreateAndReduce(vector);
    case ReduceOp::Any:
      return b.CreateOrReduce(vector);
  }
  const bool is_order = op == ReduceOp::Min || op == ReduceOp::Max;
  if (is_order && !is_scalable && is_x86(b)) {
    const auto further = op == ReduceOp::Min ? llvm::CmpInst::FCMP_OLT : llvm::CmpInst::FCMP_OGT;
    return furthest_lane(b, further, vector);
  }
  const auto combine = [&](llvm::Value* x, llvm::Value* y) {
    return emit_binary(b, combine_op(op), type, x, y);
  };
  return is_scalable ? emit_fold_lanes(b, vector, combine) : combine_halves(b, vector, combine);
}

bool is_call(UnaryOp op) {
  const bool is_instruction = op == UnaryOp::Abs || op == UnaryOp::Sqrt || op == UnaryOp::Floor ||
                              op == UnaryOp::Ceil || op == UnaryOp::Round || op == UnaryOp::Trunc;
  return op == UnaryOp::Sigmoid || (!libm_name(op).empty() && !is_instruction);
}

bool is_call(BinaryOp op, DType type) {
  const bool is_division = op == BinaryOp::FloorDiv || op == BinaryOp::Mod || op == BinaryOp::Fmod;
  return op == BinaryOp::Pow || op == BinaryOp::Atan2 || op == BinaryOp::Hypot ||
         (is_float(type) && is_division);
}

}  // namespace solway::codegen::detail
