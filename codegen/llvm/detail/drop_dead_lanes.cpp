#include "codegen/llvm/detail/drop_dead_lanes.h"

#include <vector>

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace solway::codegen::detail {
namespace {

/// Lanes of a vector; 0 of anything else.
unsigned lanes_of(const llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return type == nullptr ? 0 : type->getNumElements();
}

/// The lanes that a constant mask selects; all when it is no constant.
llvm::APInt selected(const llvm::Value* mask, unsigned lanes) {
  llvm::APInt out = llvm::APInt::getAllOnes(lanes);
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  for (unsigned lane = 0; constant != nullptr && lane < lanes; ++lane) {
    const llvm::Constant* element = constant->getAggregateElement(lane);
    if (element != nullptr && element->isZeroValue()) out.clearBit(lane);
  }
  return out;
}

/// Whether each lane of the result follows from the same lane of the operands, and a lane that
/// nothing uses may hold anything. Integers are not divided so: by zero that is undefined.
bool is_lane_by_lane(const llvm::Instruction& i) {
  if (i.isIntDivRem()) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
    return llvm::isTriviallyVectorizable(call->getIntrinsicID());
  }
  if (llvm::isa<llvm::BitCastInst>(i)) return lanes_of(&i) == lanes_of(i.getOperand(0));
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                   llvm::SelectInst, llvm::PHINode>(i);
}

/// Which lanes of its operand `k` an instruction uses, of whose own lanes `used` are.
llvm::APInt used_of_operand(const llvm::Instruction& i, unsigned k, const llvm::APInt& used) {
  const unsigned lanes = lanes_of(i.getOperand(k));
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::masked_store && k == 0) {
    return selected(call->getArgOperand(3), lanes);
  }
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i); shuffle && k < 2) {
    llvm::APInt out(lanes, 0);
    for (unsigned lane = 0; lane < used.getBitWidth(); ++lane) {
      const int from = shuffle->getMaskValue(lane) - static_cast<int>(k * lanes);
      if (used[lane] && from >= 0 && from < static_cast<int>(lanes)) {
        out.setBit(static_cast<unsigned>(from));
      }
    }
    return out;
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i); insert && k == 0) {
    llvm::APInt out = used;
    const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (lane != nullptr && lane->getValue().ult(lanes)) {
      out.clearBit(static_cast<unsigned>(lane->getZExtValue()));
    }
    return out;
  }
  const bool same = is_lane_by_lane(i) && lanes_of(&i) == lanes;
  return same ? used : llvm::APInt::getAllOnes(lanes);
}

/// The lanes of vectors that something uses: those that leave the vectors, and what they follow
/// from.
class UsedLanes {
 public:
  explicit UsedLanes(llvm::Function& function) {
    for (llvm::Instruction& i : llvm::instructions(function)) {
      if (const unsigned lanes = lanes_of(&i)) used_.try_emplace(&i, lanes, 0);
      pending_.push_back(&i);
    }
    while (!pending_.empty()) {
      llvm::Instruction* const i = pending_.back();
      pending_.pop_back();
      visit(*i);
    }
  }

  const llvm::APInt& of(const llvm::Instruction& i) const { return used_.find(&i)->second; }

 private:
  void visit(const llvm::Instruction& i) {
    const auto own = used_.find(&i);
    const llvm::APInt used = own == used_.end() ? llvm::APInt(1, 0) : own->second;
    for (unsigned k = 0; k < i.getNumOperands(); ++k) {
      const auto operand = used_.find(llvm::dyn_cast<llvm::Instruction>(i.getOperand(k)));
      if (operand == used_.end()) continue;
      const llvm::APInt more = operand->second | used_of_operand(i, k, used);
      if (more == operand->second) continue;
      operand->second = more;
      pending_.push_back(llvm::cast<llvm::Instruction>(i.getOperand(k)));
    }
  }

  llvm::DenseMap<const llvm::Instruction*, llvm::APInt> used_;
  std::vector<llvm::Instruction*> pending_;
};

/// The operand that all used lanes of a choice are, each in its own place; null when there is none.
llvm::Value* chosen_or_null(const llvm::ShuffleVectorInst& choice, const llvm::APInt& used) {
  const unsigned lanes = used.getBitWidth();
  if (lanes_of(choice.getOperand(0)) != lanes) return nullptr;
  for (unsigned k = 0; k < 2; ++k) {
    bool is_it = true;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      is_it &= !used[lane] || choice.getMaskValue(lane) == static_cast<int>(lane + k * lanes);
    }
    if (is_it) return choice.getOperand(k);
  }
  return nullptr;
}

}  // namespace

bool drop_dead_lanes(llvm::Function& function) {
  const UsedLanes used(function);
  std::vector<llvm::ShuffleVectorInst*> dropped;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    auto* choice = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i);
    if (choice == nullptr || lanes_of(choice) == 0) continue;
    llvm::Value* const chosen = chosen_or_null(*choice, used.of(*choice));
    if (chosen == nullptr || chosen == choice) continue;
    choice->replaceAllUsesWith(chosen);
    dropped.push_back(choice);
  }
  for (llvm::ShuffleVectorInst* choice : dropped) choice->eraseFromParent();
  return !dropped.empty();
}

}  // namespace solway::codegen::detail
