#include "codegen/llvm/detail/vector_engine/expand_operations.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

/// The nearest integer of |x|, the even one of two: the sum with 2^52, of float32 2^23, has no
/// bits for fractions. Numbers that large are integers.
llvm::Value* rounded_magnitude(Builder& b, llvm::Value* magnitude) {
  const bool is_double = magnitude->getType()->getScalarType()->isDoubleTy();
  llvm::Value* whole = llvm::ConstantFP::get(magnitude->getType(), is_double ? 0x1p52 : 0x1p23);
  llvm::Value* near = b.CreateFSub(b.CreateFAdd(magnitude, whole), whole);
  return b.CreateSelect(b.CreateFCmpOLT(magnitude, whole), near, magnitude);
}

llvm::Value* rounded(Builder& b, llvm::Intrinsic::ID direction, llvm::Value* x) {
  llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1);
  const auto less_where = [&](llvm::Value* condition, llvm::Value* from, llvm::Value* step) {
    return b.CreateSelect(condition, b.CreateFSub(from, step), from);
  };
  llvm::Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* near = rounded_magnitude(b, magnitude);
  if (direction == llvm::Intrinsic::trunc) {
    near = less_where(b.CreateFCmpOGT(near, magnitude), near, one);
  }
  llvm::Value* out = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, near, x);
  if (direction == llvm::Intrinsic::floor) {
    out = less_where(b.CreateFCmpOGT(out, x), out, one);
  } else if (direction == llvm::Intrinsic::ceil) {
    out = less_where(b.CreateFCmpOLT(out, x), out, b.CreateFNeg(one));
  }
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, out, x);  // of zeros
}

/// Towards zero, the nearest integer that there is beyond the range, and 0 of NaN.
llvm::Value* saturated(Builder& b, llvm::Value* x, llvm::Type* to) {
  const unsigned bits = to->getScalarSizeInBits();
  llvm::Type* wide = x->getType()->getWithNewType(b.getDoubleTy());
  x = b.CreateFPExt(x, wide);
  const double above = bits == 64 ? 0x1p63 : 0x1p31;
  llvm::Value* most = llvm::ConstantFP::get(wide, above);
  llvm::Value* least = llvm::ConstantFP::get(wide, -above);
  llvm::Value* is_above = b.CreateFCmpOGE(x, most);
  llvm::Value* is_within = b.CreateAnd(b.CreateFCmpOGE(x, least), b.CreateFCmpOLT(x, most));
  llvm::Value* zero = llvm::ConstantFP::get(wide, 0);
  llvm::Value* within = b.CreateFPToSI(b.CreateSelect(is_within, x, zero), to);
  llvm::Value* largest = llvm::ConstantInt::get(to, llvm::APInt::getSignedMaxValue(bits));
  llvm::Value* smallest = llvm::ConstantInt::get(to, llvm::APInt::getSignedMinValue(bits));
  llvm::Value* bounded = b.CreateSelect(b.CreateFCmpOLT(x, least), smallest, within);
  return b.CreateSelect(is_above, largest, bounded);
}

/// Whether x, or -x, is of one of the classes of numbers.
llvm::Value* is_of_sign(Builder& b, llvm::Value* x, llvm::FPClassTest classes, bool is_negative) {
  llvm::Type* type = x->getType();
  const llvm::fltSemantics& semantics = type->getScalarType()->getFltSemantics();
  llvm::Value* y = is_negative ? b.CreateFNeg(x) : x;
  llvm::Value* zero = llvm::ConstantFP::get(type, 0);
  llvm::Value* normal =
      llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(semantics));
  llvm::Value* infinity = llvm::ConstantFP::getInfinity(type);
  llvm::Value* out = llvm::ConstantInt::getFalse(type->getWithNewType(b.getInt1Ty()));
  const auto add = [&](llvm::FPClassTest negative, llvm::FPClassTest positive, const auto& test) {
    if ((classes & (is_negative ? negative : positive)) != 0) out = b.CreateOr(out, test());
  };
  add(llvm::fcNegZero, llvm::fcPosZero, [&] {
    llvm::Type* bits = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
    return b.CreateICmpEQ(b.CreateBitCast(y, bits), llvm::Constant::getNullValue(bits));
  });
  add(llvm::fcNegSubnormal, llvm::fcPosSubnormal,
      [&] { return b.CreateAnd(b.CreateFCmpOGT(y, zero), b.CreateFCmpOLT(y, normal)); });
  add(llvm::fcNegNormal, llvm::fcPosNormal,
      [&] { return b.CreateAnd(b.CreateFCmpOGE(y, normal), b.CreateFCmpOLT(y, infinity)); });
  add(llvm::fcNegInf, llvm::fcPosInf, [&] { return b.CreateFCmpOEQ(y, infinity); });
  return out;
}

/// llvm.is.fpclass, which LLVM makes of comparisons. Of NaN, one kind is not told from another.
llvm::Value* is_of_class(Builder& b, llvm::Value* x, llvm::FPClassTest classes) {
  llvm::Value* of_numbers = b.CreateOr(is_of_sign(b, x, classes, /*is_negative=*/false),
                                       is_of_sign(b, x, classes, /*is_negative=*/true));
  if ((classes & llvm::fcNan) == 0) return of_numbers;
  return b.CreateOr(of_numbers, b.CreateFCmpUNO(x, x));
}

/// float32 of int64, through float64. Of numbers that this may not hold the last 11 bits are 0,
/// and the one before is 1 where they were not: what lies between two float32 stays there, and is
/// rounded once.
llvm::Value* float_of_long(Builder& b, llvm::Value* x) {
  constexpr std::uint64_t kLastBits = 0x7ff;
  const auto number = [&](std::uint64_t value) {
    return llvm::ConstantInt::get(x->getType(), value);
  };
  llvm::Value* last = b.CreateAnd(x, number(kLastBits));
  llvm::Value* carried = b.CreateAnd(b.CreateAdd(last, number(kLastBits)), number(kLastBits + 1));
  llvm::Value* cut = b.CreateOr(b.CreateAnd(x, number(~kLastBits)), carried);
  // From -2^53 to 2^53 all are numbers of float64.
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  llvm::Value* is_exact = b.CreateICmpULE(b.CreateAdd(x, number(kExact)), number(2 * kExact));
  llvm::Type* wide = x->getType()->getWithNewType(b.getDoubleTy());
  llvm::Value* held = b.CreateSIToFP(b.CreateSelect(is_exact, x, cut), wide);
  return b.CreateFPTrunc(held, x->getType()->getWithNewType(b.getFloatTy()));
}

bool is_float_of_long(const llvm::Instruction& i) {
  const unsigned opcode = i.getOpcode();
  const bool is_signed =
      opcode == llvm::Instruction::SIToFP || (opcode == llvm::Instruction::UIToFP && i.hasNonNeg());
  return is_signed && i.getType()->getScalarType()->isFloatTy() &&
         i.getOperand(0)->getType()->getScalarType()->isIntegerTy(64);
}

/// A number repeated in all lanes that LLVM takes for other bits only once it is a vector; null of
/// others.
llvm::Value* repeated_or_null(Builder& b, llvm::Instruction& i) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i);
  if (shuffle == nullptr || !shuffle->isZeroEltSplat()) return nullptr;
  const auto* bits = llvm::dyn_cast<llvm::BitCastInst>(shuffle->getOperand(0));
  llvm::Value* number = nullptr;
  using llvm::PatternMatch::m_InsertElt;
  using llvm::PatternMatch::m_Value;
  using llvm::PatternMatch::m_ZeroInt;
  const bool is_known =
      bits != nullptr &&
      llvm::PatternMatch::match(bits->getOperand(0),
                                m_InsertElt(m_Value(), m_Value(number), m_ZeroInt()));
  if (!is_known) return nullptr;
  return b.CreateVectorSplat(kEngineLanes, b.CreateBitCast(number, i.getType()->getScalarType()));
}

llvm::Value* expanded_or_null(llvm::Instruction& instruction) {
  Builder b(&instruction);
  if (llvm::Value* repeated = repeated_or_null(b, instruction)) return repeated;
  if (is_float_of_long(instruction)) return float_of_long(b, instruction.getOperand(0));
  if (!llvm::isa<llvm::IntrinsicInst>(instruction)) return nullptr;
  auto& call = llvm::cast<llvm::IntrinsicInst>(instruction);
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
      return rounded(b, call.getIntrinsicID(), call.getArgOperand(0));
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::roundeven:
      return rounded(b, llvm::Intrinsic::rint, call.getArgOperand(0));
    case llvm::Intrinsic::fptosi_sat:
      return saturated(b, call.getArgOperand(0), call.getType());
    case llvm::Intrinsic::is_fpclass: {
      const auto* classes = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1));
      return is_of_class(b, call.getArgOperand(0),
                         static_cast<llvm::FPClassTest>(classes->getZExtValue()));
    }
    default:
      return nullptr;
  }
}

}  // namespace

void expand_operations(llvm::Function& function) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_engine_vector(instruction.getType())) found.push_back(&instruction);
  }
  for (llvm::Instruction* instruction : found) {
    llvm::Value* made = expanded_or_null(*instruction);
    if (made == nullptr) continue;
    instruction->replaceAllUsesWith(made);
    instruction->eraseFromParent();
  }
}

}  // namespace solway::codegen::detail
