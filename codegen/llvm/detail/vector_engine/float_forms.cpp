#include "codegen/llvm/detail/vector_engine/float_forms.h"

#include <llvm/IR/Constants.h>

namespace solway::codegen::detail {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;  // of float32 too, in the upper half

std::string suffix(const llvm::Value& v) {
  return element_of(v.getType()) == Element::Float64 ? "d" : "s";
}

llvm::Value* lower_fma(Engine& e, llvm::Value* x, llvm::Value* y, llvm::Value* z) {
  const std::string name = "vfmad" + suffix(*x);
  if (llvm::Value* number = Engine::scalar_or_null(z)) {
    return e.call(name + ".vsvvl", {number, e.of(x), e.of(y)});
  }
  if (Engine::scalar_or_null(y) != nullptr) std::swap(x, y);
  if (llvm::Value* number = Engine::scalar_or_null(x)) {
    return e.call(name + ".vvsvl", {e.of(z), number, e.of(y)});
  }
  return e.call(name + ".vvvvl", {e.of(z), e.of(x), e.of(y)});
}

/// What vfmk looks for in the sign of a difference: of "ult", "ltnan".
std::string condition(llvm::CmpInst::Predicate predicate) {
  if (predicate == llvm::CmpInst::FCMP_ORD) return "num";
  if (predicate == llvm::CmpInst::FCMP_UNO) return "nan";
  const std::string name = llvm::CmpInst::getPredicateName(predicate).str();
  return name.substr(1) + (name.front() == 'u' ? "nan" : "");
}

bool is_zero(const llvm::Value* v) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(v);
  const auto* number = constant == nullptr
                           ? nullptr
                           : llvm::dyn_cast_or_null<llvm::ConstantFP>(constant->getSplatValue());
  return number != nullptr && number->isZero();
}

}  // namespace

llvm::Value* lower_float_arithmetic(Engine& e, llvm::Instruction& instruction) {
  llvm::Value* x = instruction.getOperand(0);
  const std::string type = suffix(*x);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FNeg:
      return e.call("vxor.vsvl", {e.b.getInt64(kSign), e.of(x)});
    case llvm::Instruction::FAdd:
      return e.in_any_order("vfadd" + type, x, instruction.getOperand(1));
    case llvm::Instruction::FMul:
      return e.in_any_order("vfmul" + type, x, instruction.getOperand(1));
    case llvm::Instruction::FSub:
      return e.in_order("vfsub" + type, x, instruction.getOperand(1));
    case llvm::Instruction::FDiv:
      return e.in_order("vfdiv" + type, x, instruction.getOperand(1));
    default:
      e.fail(instruction);
  }
}

llvm::Value* lower_float_comparison(Engine& e, llvm::FCmpInst& comparison) {
  llvm::Value* x = comparison.getOperand(0);
  llvm::Value* y = comparison.getOperand(1);
  llvm::CmpInst::Predicate predicate = comparison.getPredicate();
  if (predicate == llvm::CmpInst::FCMP_TRUE || predicate == llvm::CmpInst::FCMP_FALSE) {
    return e.all_or_none(predicate == llvm::CmpInst::FCMP_TRUE);
  }
  if (Engine::scalar_or_null(y) != nullptr && !is_zero(y)) {
    std::swap(x, y);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const std::string name = "vfmk" + suffix(*x) + condition(predicate) + ".mvl";
  // A number has the sign that its difference to zero has.
  const bool is_alone =
      is_zero(y) ||
      (x == y && (predicate == llvm::CmpInst::FCMP_UNO || predicate == llvm::CmpInst::FCMP_ORD));
  if (is_alone) return e.call(name, {e.of(x)});
  return e.call(name, {e.in_order("vfcmp" + suffix(*x), x, y)});
}

llvm::Value* lower_float_function_or_null(Engine& e, llvm::IntrinsicInst& call) {
  llvm::Value* x = call.getArgOperand(0);
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
      return lower_fma(e, x, call.getArgOperand(1), call.getArgOperand(2));
    case llvm::Intrinsic::fabs:
      return e.call("vand.vsvl", {e.b.getInt64(~kSign), e.of(x)});
    case llvm::Intrinsic::copysign: {
      llvm::Value* magnitude = e.call("vand.vsvl", {e.b.getInt64(~kSign), e.of(x)});
      llvm::Value* sign = e.call("vand.vsvl", {e.b.getInt64(kSign), e.of(call.getArgOperand(1))});
      return e.call("vor.vvvl", {magnitude, sign});
    }
    case llvm::Intrinsic::sqrt:
      return e.call("vfsqrt" + suffix(*x) + ".vvl", {e.of(x)});
    default:
      return nullptr;
  }
}

}  // namespace solway::codegen::detail
