#include "codegen/llvm/detail/vector_engine/conversion_forms.h"

#include <llvm/IR/Constants.h>

#include "codegen/llvm/detail/vector_engine/integer_forms.h"

namespace solway::codegen::detail {
namespace {

/// One number where a condition holds, another where it does not.
llvm::Value* chosen(Engine& e, llvm::Value* condition, llvm::Constant* if_true,
                    llvm::Constant* if_false) {
  return e.call("vmrg.vsvml", {e.bits_of(if_false), e.repeated(if_true), condition});
}

llvm::Value* of_condition(Engine& e, llvm::CastInst& conversion) {
  llvm::Type* type = conversion.getType()->getScalarType();
  llvm::Value* mask = e.of(conversion.getOperand(0));
  llvm::Constant* zero = llvm::Constant::getNullValue(type);
  const unsigned opcode = conversion.getOpcode();
  switch (opcode) {
    case llvm::Instruction::ZExt:
      return chosen(e, mask, llvm::ConstantInt::get(type, 1), zero);
    case llvm::Instruction::SExt:
      return chosen(e, mask, llvm::ConstantInt::getAllOnesValue(type), zero);
    case llvm::Instruction::UIToFP:
      return chosen(e, mask, llvm::ConstantFP::get(type, 1), zero);
    case llvm::Instruction::SIToFP:
      return chosen(e, mask, llvm::ConstantFP::get(type, -1), zero);
    default:
      e.fail(conversion);
  }
}

/// The bits of a float32 lie in the other half.
llvm::Value* same_bits(Engine& e, Element from, Element to, llvm::Value* held) {
  llvm::Value* half = e.b.getInt64(32);
  if (from == Element::Float32 && to == Element::Int32) return e.call("vsrl.vvsl", {held, half});
  if (from == Element::Int32 && to == Element::Float32) return e.call("vsll.vvsl", {held, half});
  return held;
}

/// int32 or int64 of a narrower integer.
llvm::Value* widened(Engine& e, Element from, bool is_signed, llvm::Value* held) {
  if (from == Element::Int32) {
    return is_signed ? e.call("vaddswsx.vsvl", {e.b.getInt32(0), held}) : lower_halves(e, held);
  }
  const std::uint64_t bits = from == Element::Int16 ? 16 : 8;
  if (!is_signed) {
    return e.call("vand.vsvl", {e.b.getInt64((std::uint64_t{1} << bits) - 1), held});
  }
  llvm::Value* above = e.b.getInt64(64 - bits);
  return e.call("vsral.vvsl", {e.call("vsll.vvsl", {held, above}), above});
}

llvm::Value* to_float(Engine& e, llvm::CastInst& conversion, Element from, Element to,
                      llvm::Value* held) {
  const bool is_unsigned =
      conversion.getOpcode() == llvm::Instruction::UIToFP && !conversion.hasNonNeg();
  if (is_unsigned) {
    if (from != Element::Int32) e.fail(conversion);
    llvm::Value* wide = e.call("vcvtdl.vvl", {lower_halves(e, held)});
    return to == Element::Float64 ? wide : e.call("vcvtsd.vvl", {wide});
  }
  if (from == Element::Int32)
    return e.call(to == Element::Float64 ? "vcvtdw.vvl" : "vcvtsw.vvl", {held});
  if (to != Element::Float64) e.fail(conversion);  // see expand_operations
  return e.call("vcvtdl.vvl", {held});
}

/// Towards zero.
llvm::Value* to_integer(Engine& e, Element from, Element to, llvm::Value* held) {
  if (to == Element::Int32) {
    return e.call(from == Element::Float64 ? "vcvtwdsxrz.vvl" : "vcvtwssxrz.vvl", {held});
  }
  if (from == Element::Float32) held = e.call("vcvtds.vvl", {held});
  return e.call("vcvtldrz.vvl", {held});
}

}  // namespace

llvm::Value* lower_conversion(Engine& e, llvm::CastInst& conversion) {
  llvm::Value* operand = conversion.getOperand(0);
  if (operand->getType()->getScalarType()->isIntegerTy(1)) return of_condition(e, conversion);
  llvm::Value* held = e.of(operand);
  if (conversion.getType()->getScalarType()->isIntegerTy(1)) {
    if (conversion.getOpcode() != llvm::Instruction::Trunc) e.fail(conversion);
    return e.call("vfmklne.mvl", {e.call("vand.vsvl", {e.b.getInt64(1), held})});
  }
  const Element from = element_of(operand->getType());
  const Element to = element_of(conversion.getType());
  const unsigned opcode = conversion.getOpcode();
  switch (opcode) {
    case llvm::Instruction::BitCast:
      return same_bits(e, from, to, held);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Trunc:
      return held;
    case llvm::Instruction::ZExt:
      return widened(e, from, /*is_signed=*/false, held);
    case llvm::Instruction::SExt:
      return widened(e, from, /*is_signed=*/true, held);
    case llvm::Instruction::FPExt:
      return e.call("vcvtds.vvl", {held});
    case llvm::Instruction::FPTrunc:
      return e.call("vcvtsd.vvl", {held});
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP:
      return to_float(e, conversion, from, to, held);
    case llvm::Instruction::FPToSI:
      return to_integer(e, from, to, held);
    default:
      e.fail(conversion);
  }
}

}  // namespace solway::codegen::detail
