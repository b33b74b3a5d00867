#include "codegen/llvm/detail/math.h"

#include <algorithm>
#include <vector>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/lanes.h"
#include "codegen/llvm/runtime_symbols.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

/// A declared function whose result depends on its arguments only.
llvm::FunctionCallee pure_function(Builder& b, const std::string& name, llvm::Type* type,
                                   std::size_t num_args) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  const std::vector<llvm::Type*> params(num_args, type);
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(type, params, /*isVarArg=*/false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

/// Quotient and remainder towards zero of a divisor that is safe, and whether to round down.
struct Division {
  llvm::Value* divisor_is_zero;
  llvm::Value* divisor_is_minus_one;
  llvm::Value* divisor;  ///< 1 where the division would trap or overflow
  llvm::Value* quotient;
  llvm::Value* remainder;
  llvm::Value* rounds_down;
};

/// Whether vectors of integers are divided lane by lane on the machine: x86 and NEON have only
/// divisions of floats.
bool divides_floats_only(Builder& b, llvm::Value* x, llvm::Value* y) {
  const llvm::Triple triple(b.GetInsertBlock()->getModule()->getTargetTriple());
  return (triple.isX86() || triple.isAArch64()) && llvm::isa<llvm::FixedVectorType>(x->getType()) &&
         x->getType()->getScalarSizeInBits() < 64 && !llvm::isa<llvm::Constant>(y);
}

/// Bits that integers have, as far as their conversions say.
unsigned bits_of(llvm::Value* v) {
  using llvm::PatternMatch::m_Value;
  using llvm::PatternMatch::m_ZExtOrSExt;
  llvm::Value* narrow = v;
  llvm::PatternMatch::match(v, m_ZExtOrSExt(m_Value(narrow)));
  return narrow->getType()->getScalarSizeInBits();
}

/// The quotient towards zero by a division of floats. Of n bits, it differs from the next integer
/// by 2^-n of it at least, or not at all: a float of more bits is not rounded to that.
llvm::Value* quotient_by_floats(Builder& b, llvm::Value* x, llvm::Value* y, bool is_narrow) {
  llvm::Type* type = x->getType();
  llvm::Type* wide = type->getWithNewType(is_narrow ? b.getFloatTy() : b.getDoubleTy());
  llvm::Value* quotient = b.CreateFDiv(b.CreateSIToFP(x, wide), b.CreateSIToFP(y, wide));
  llvm::Value* whole = b.CreateFPToSI(quotient, type->getWithNewType(b.getInt32Ty()));
  return b.CreateZExtOrTrunc(whole, type);
}

Division divide(Builder& b, llvm::Value* x, llvm::Value* y) {
  llvm::Type* type = x->getType();
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  Division d;
  d.divisor_is_zero = b.CreateICmpEQ(y, zero);
  d.divisor_is_minus_one = b.CreateICmpEQ(y, llvm::Constant::getAllOnesValue(type));
  d.divisor = b.CreateSelect(b.CreateOr(d.divisor_is_zero, d.divisor_is_minus_one),
                             llvm::ConstantInt::get(type, 1), y);
  if (divides_floats_only(b, x, y)) {
    const bool is_narrow = std::max(bits_of(x), bits_of(y)) <= 16;
    d.quotient = quotient_by_floats(b, x, d.divisor, is_narrow);
    d.remainder = b.CreateSub(x, b.CreateMul(d.quotient, d.divisor));
  } else {
    d.quotient = b.CreateSDiv(x, d.divisor);
    d.remainder = b.CreateSRem(x, d.divisor);
  }
  d.rounds_down = b.CreateAnd(b.CreateICmpNE(d.remainder, zero),
                              b.CreateICmpSLT(b.CreateXor(d.remainder, d.divisor), zero));
  return d;
}

/// The value when it is the same power of two, at least 1, in every lane.
const llvm::APInt* power_of_two_or_null(llvm::Value* v) {
  const llvm::APInt* value = nullptr;
  if (!llvm::PatternMatch::match(v, llvm::PatternMatch::m_APInt(value))) return nullptr;
  return value->isStrictlyPositive() && value->isPowerOf2() ? value : nullptr;
}

}  // namespace

llvm::Value* emit_math(Builder& b, const std::string& function, DType type,
                       llvm::ArrayRef<llvm::Value*> args) {
  llvm::Type* scalar = args.front()->getType()->getScalarType();
  const llvm::FunctionCallee callee =
      pure_function(b, math_symbol(function, type), scalar, args.size());
  return emit_per_lane(
      b, args, args.front()->getType(),
      [&](llvm::ArrayRef<llvm::Value*> elements) { return b.CreateCall(callee, elements); });
}

llvm::Value* emit_integer_power(Builder& b, llvm::Value* base, llvm::Value* exponent) {
  llvm::Type* wide = b.getInt64Ty();
  const llvm::FunctionCallee callee = pure_function(b, kIntegerPower, wide, 2);
  return emit_per_lane(
      b, {base, exponent}, base->getType(), [&](llvm::ArrayRef<llvm::Value*> args) {
        llvm::Value* power =
            b.CreateCall(callee, {b.CreateSExt(args[0], wide), b.CreateSExt(args[1], wide)});
        return b.CreateTrunc(power, args[0]->getType());
      });
}

llvm::Value* emit_integer_floor_div(Builder& b, llvm::Value* x, llvm::Value* y) {
  if (const llvm::APInt* power = power_of_two_or_null(y)) {
    return b.CreateAShr(x, llvm::ConstantInt::get(x->getType(), power->logBase2()));
  }
  const Division d = divide(b, x, y);
  llvm::Value* floor = b.CreateAdd(d.quotient, b.CreateSExt(d.rounds_down, x->getType()));
  llvm::Value* result = b.CreateSelect(d.divisor_is_minus_one, b.CreateNeg(x), floor);
  return b.CreateSelect(d.divisor_is_zero, llvm::Constant::getNullValue(x->getType()), result);
}

llvm::Value* emit_integer_mod(Builder& b, llvm::Value* x, llvm::Value* y) {
  if (const llvm::APInt* power = power_of_two_or_null(y)) {
    return b.CreateAnd(x, llvm::ConstantInt::get(x->getType(), *power - 1));
  }
  const Division d = divide(b, x, y);
  llvm::Value* zero = llvm::Constant::getNullValue(x->getType());
  // A divisor of 0 or -1 was replaced by 1, whose remainder is the right 0.
  return b.CreateAdd(d.remainder, b.CreateSelect(d.rounds_down, d.divisor, zero));
}

llvm::Value* emit_integer_remainder(Builder& b, llvm::Value* x, llvm::Value* y) {
  return divide(b, x, y).remainder;
}

}  // namespace solway::codegen::detail
