#include "codegen/llvm/detail/vector_engine/integer_forms.h"

#include <llvm/IR/Constants.h>

namespace solway::codegen::detail {
namespace {

constexpr std::uint64_t kLowerHalf = 0xffffffff;

bool is_word(const llvm::Value& v) { return element_of(v.getType()) == Element::Int32; }

/// Of signed operations.
std::string suffix(const llvm::Value& v) { return is_word(v) ? "swsx" : "sl"; }

/// Of whole elements.
llvm::Value* of_bits(Engine& e, const std::string& name, llvm::Value* x, llvm::Value* y) {
  if (Engine::scalar_or_null(y) != nullptr) std::swap(x, y);
  if (llvm::Value* number = Engine::scalar_or_null(x)) {
    return e.call(name + ".vsvl", {e.bits_of(number), e.of(y)});
  }
  return e.call(name + ".vvvl", {e.of(x), e.of(y)});
}

/// x shifted by y, where instructions take a number for y.
llvm::Value* shifted(Engine& e, const std::string& name, llvm::Value* x, llvm::Value* y,
                     bool takes_word) {
  if (llvm::Value* number = Engine::scalar_or_null(y)) {
    if (!takes_word) number = e.b.CreateZExt(number, e.b.getInt64Ty());
    return e.call(name + ".vvsl", {x, number});
  }
  return e.call(name + ".vvvl", {x, e.of(y)});
}

llvm::Value* divided(Engine& e, const std::string& name, llvm::Value* x, llvm::Value* y) {
  if (llvm::Value* number = Engine::scalar_or_null(y)) {
    return e.call(name + ".vvsl", {e.of(x), number});
  }
  return e.in_order(name, x, y);
}

/// x - x / y * y.
llvm::Value* remainder(Engine& e, const std::string& division, llvm::Value* x, llvm::Value* y) {
  llvm::Value* quotient = divided(e, division, x, y);
  llvm::Value* whole = e.call("vmul" + suffix(*x) + ".vvvl", {quotient, e.of(y)});
  return e.call("vsub" + suffix(*x) + ".vvvl", {e.of(x), whole});
}

/// What vfmk looks for in the sign of a difference: of "ult" and "slt", "lt".
std::string condition(llvm::CmpInst::Predicate predicate) {
  const std::string name = llvm::CmpInst::getPredicateName(predicate).str();
  return name.substr(name.size() - 2);
}

llvm::Value* compared(Engine& e, llvm::CmpInst::Predicate predicate, llvm::Value* x,
                      llvm::Value* y) {
  if (Engine::scalar_or_null(y) != nullptr) {
    std::swap(x, y);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const bool word = is_word(*x);
  if (x->getType()->getScalarType()->isPointerTy())
    predicate = llvm::CmpInst::getUnsignedPredicate(predicate);
  const bool is_unsigned = llvm::CmpInst::isUnsigned(predicate);
  const std::string name =
      is_unsigned ? std::string(word ? "vcmpuw" : "vcmpul") : "vcmp" + suffix(*x);
  llvm::Value* difference = e.in_order(name, x, y);
  return e.call((word ? "vfmkw" : "vfmkl") + condition(predicate) + ".mvl", {difference});
}

}  // namespace

llvm::Value* lower_halves(Engine& e, llvm::Value* held) {
  return e.call("vand.vsvl", {e.b.getInt64(kLowerHalf), held});
}

llvm::Value* lower_integer_arithmetic(Engine& e, llvm::BinaryOperator& operation) {
  llvm::Value* x = operation.getOperand(0);
  llvm::Value* y = operation.getOperand(1);
  const std::string type = suffix(*x);
  const bool word = is_word(*x);
  const unsigned opcode = operation.getOpcode();
  switch (opcode) {
    case llvm::Instruction::Add:
      return e.in_any_order("vadd" + type, x, y);
    case llvm::Instruction::Sub:
      return e.in_order("vsub" + type, x, y);
    case llvm::Instruction::Mul:
      return e.in_any_order("vmul" + type, x, y);
    case llvm::Instruction::SDiv:
      return divided(e, "vdiv" + type, x, y);
    case llvm::Instruction::UDiv:
      return divided(e, word ? "vdivuw" : "vdivul", x, y);
    case llvm::Instruction::SRem:
      return remainder(e, "vdiv" + type, x, y);
    case llvm::Instruction::URem:
      return remainder(e, word ? "vdivuw" : "vdivul", x, y);
    case llvm::Instruction::And:
      return of_bits(e, "vand", x, y);
    case llvm::Instruction::Or:
      return of_bits(e, "vor", x, y);
    case llvm::Instruction::Xor:
      return of_bits(e, "vxor", x, y);
    case llvm::Instruction::Shl:
      return shifted(e, "vsll", e.of(x), y, false);
    case llvm::Instruction::LShr:
      return shifted(e, "vsrl", word ? lower_halves(e, e.of(x)) : e.of(x), y, false);
    case llvm::Instruction::AShr:
      return shifted(e, word ? "vsrawsx" : "vsral", e.of(x), y, word);
    default:
      e.fail(operation);
  }
}

llvm::Value* lower_integer_comparison(Engine& e, llvm::ICmpInst& comparison) {
  if (comparison.getOperand(0)->getType()->getScalarType()->isIntegerTy(1)) {
    if (!comparison.isEquality()) e.fail(comparison);
    llvm::Value* differ =
        e.call_of_all("xorm.mmm", {e.of(comparison.getOperand(0)), e.of(comparison.getOperand(1))});
    const bool is_equal = comparison.getPredicate() == llvm::CmpInst::ICMP_EQ;
    return is_equal ? e.call_of_all("negm.mm", {differ}) : differ;
  }
  return compared(e, comparison.getPredicate(), comparison.getOperand(0), comparison.getOperand(1));
}

llvm::Value* lower_integer_function_or_null(Engine& e, llvm::IntrinsicInst& call) {
  llvm::Value* x = call.getArgOperand(0);
  const auto chosen = [&](llvm::CmpInst::Predicate predicate) {
    llvm::Value* y = call.getArgOperand(1);
    return e.call("vmrg.vvvml", {e.of(y), e.of(x), compared(e, predicate, x, y)});
  };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::smax:
      return e.in_any_order("vmax" + suffix(*x), x, call.getArgOperand(1));
    case llvm::Intrinsic::smin:
      return e.in_any_order("vmin" + suffix(*x), x, call.getArgOperand(1));
    case llvm::Intrinsic::umax:
      return chosen(llvm::CmpInst::ICMP_UGT);
    case llvm::Intrinsic::umin:
      return chosen(llvm::CmpInst::ICMP_ULT);
    case llvm::Intrinsic::abs: {
      llvm::Value* zero = llvm::ConstantInt::get(x->getType()->getScalarType(), 0);
      llvm::Value* negative = e.call("vsub" + suffix(*x) + ".vsvl", {zero, e.of(x)});
      return e.call("vmax" + suffix(*x) + ".vvvl", {e.of(x), negative});
    }
    default:
      return nullptr;
  }
}

}  // namespace solway::codegen::detail
