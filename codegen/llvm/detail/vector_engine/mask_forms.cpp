#include "codegen/llvm/detail/vector_engine/mask_forms.h"

#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"

namespace solway::codegen::detail {
namespace {

bool is_all(const llvm::Value* mask, bool ones) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  return constant != nullptr && (ones ? constant->isAllOnesValue() : constant->isNullValue());
}

llvm::Value* negated(Engine& e, llvm::Value* held) { return e.call_of_all("negm.mm", {held}); }

llvm::Value* both(Engine& e, llvm::Value* a, llvm::Value* b) {
  return e.call_of_all("andm.mmm", {a, b});
}

llvm::Value* either(Engine& e, llvm::Value* a, llvm::Value* b) {
  return e.call_of_all("orm.mmm", {a, b});
}

/// A mask, also of one condition for all lanes.
llvm::Value* condition_of(Engine& e, llvm::Value* condition) {
  if (is_engine_vector(condition->getType())) return e.of(condition);
  return e.call("vfmklne.mvl", {e.repeated(e.b.CreateZExt(condition, e.b.getInt64Ty()))});
}

llvm::Value* chosen_mask(Engine& e, llvm::Value* condition, llvm::Value* if_true,
                         llvm::Value* if_false) {
  if (is_all(if_false, false)) return both(e, condition, e.of(if_true));
  if (is_all(if_true, true)) return either(e, condition, e.of(if_false));
  llvm::Value* otherwise = both(e, negated(e, condition), e.of(if_false));
  return either(e, both(e, condition, e.of(if_true)), otherwise);
}

/// The instruction that made a register, which only this choice uses: with the other side given,
/// it leaves that in lanes behind its length. Null where it has no such form.
llvm::Value* computed_over_or_null(Engine& e, llvm::Value* held, llvm::Value* others) {
  auto* made = llvm::dyn_cast<llvm::IntrinsicInst>(held);
  if (made == nullptr) return nullptr;
  std::string name = made->getCalledFunction()->getName().str();
  const std::string prefix = "llvm.ve.vl.";
  if (name.rfind(prefix, 0) != 0 || name.back() != 'l') return nullptr;
  name.insert(name.size() - 1, "v");
  if (llvm::Function::lookupIntrinsicID(name) == llvm::Intrinsic::not_intrinsic) return nullptr;
  std::vector<llvm::Value*> args(made->arg_begin(), made->arg_end() - 1);
  args.push_back(others);
  return e.call(name.substr(prefix.size()), args);
}

/// The first lanes of one register, the others of another.
llvm::Value* joined(Engine& e, const llvm::Instruction& at, const JoinedLanes& lanes) {
  if (lanes.count == e.length) return e.of(lanes.first);
  llvm::Value* others = e.of(lanes.others);  // at the length of the whole
  e.length = lanes.count;
  const auto* made = llvm::dyn_cast<llvm::Instruction>(lanes.first);
  const bool is_only_here = made != nullptr && made->hasOneUse() &&
                            made->getParent() == at.getParent() && !made->mayReadFromMemory() &&
                            !llvm::isa<llvm::PHINode>(made) &&
                            Engine::scalar_or_null(lanes.first) == nullptr;
  if (is_only_here) {
    llvm::Value* out = computed_over_or_null(e, e.of(lanes.first), others);
    if (out != nullptr) return out;
  }
  return e.call("vor.vsvvl", {e.b.getInt64(0), e.of(lanes.first), others});
}

}  // namespace

llvm::Value* lower_mask_logic(Engine& e, llvm::BinaryOperator& operation) {
  llvm::Value* x = operation.getOperand(0);
  llvm::Value* y = operation.getOperand(1);
  const unsigned opcode = operation.getOpcode();
  switch (opcode) {
    case llvm::Instruction::And:
      return both(e, e.of(x), e.of(y));
    case llvm::Instruction::Or:
      return either(e, e.of(x), e.of(y));
    case llvm::Instruction::Xor:
      if (is_all(y, true)) return negated(e, e.of(x));
      return e.call_of_all("xorm.mmm", {e.of(x), e.of(y)});
    default:
      e.fail(operation);
  }
}

llvm::Value* lower_select(Engine& e, llvm::SelectInst& choice) {
  llvm::Value* condition = choice.getCondition();
  if (choice.getType()->getScalarType()->isIntegerTy(1)) {
    return chosen_mask(e, condition_of(e, condition), choice.getTrueValue(),
                       choice.getFalseValue());
  }
  if (const auto lanes = joined_lanes(&choice)) return joined(e, choice, *lanes);
  llvm::Value* mask = condition_of(e, condition);
  if (llvm::Value* number = Engine::scalar_or_null(choice.getFalseValue())) {
    return e.call("vmrg.vsvml", {e.bits_of(number), e.of(choice.getTrueValue()), mask});
  }
  if (llvm::Value* number = Engine::scalar_or_null(choice.getTrueValue())) {
    return e.call("vmrg.vsvml",
                  {e.bits_of(number), e.of(choice.getFalseValue()), negated(e, mask)});
  }
  return e.call("vmrg.vvvml", {e.of(choice.getFalseValue()), e.of(choice.getTrueValue()), mask});
}

llvm::Value* lower_condition_of_lane(Engine& e, llvm::Value* mask, llvm::Value* number) {
  llvm::Value* ones = e.call("vbrdl.vsl", {e.b.getInt64(1)});
  llvm::Value* held = e.call("vmrg.vsvml", {e.b.getInt64(0), ones, e.of(mask)});
  return e.b.CreateICmpNE(e.call_of_all("lvsl.svs", {held, number}), e.b.getInt64(0));
}

llvm::Value* lower_inserted_condition(Engine& e, llvm::InsertElementInst& insertion) {
  llvm::Value* number = e.b.CreateZExtOrTrunc(insertion.getOperand(2), e.b.getInt64Ty());
  llvm::Value* distance = e.call("vcmpsl.vsvl", {number, e.lane_numbers()});
  llvm::Value* lane = e.call("vfmkleq.mvl", {distance});
  llvm::Value* there = both(e, lane, condition_of(e, insertion.getOperand(1)));
  return either(e, there, both(e, negated(e, lane), e.of(insertion.getOperand(0))));
}

llvm::Value* lower_shuffle(Engine& e, llvm::ShuffleVectorInst& shuffle) {
  const auto lanes = joined_lanes(&shuffle);
  if (!lanes) e.fail(shuffle);
  if (shuffle.getType()->getScalarType()->isIntegerTy(1)) {
    return chosen_mask(e, e.first_lanes(lanes->count), lanes->first, lanes->others);
  }
  return joined(e, shuffle, *lanes);
}

}  // namespace solway::codegen::detail
