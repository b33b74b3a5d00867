#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

/// The load in the block of `choice` that only `choice` uses and that nothing written in between
/// keeps from being made there; null when `value` is no such load.
llvm::LoadInst* movable(llvm::Value* value, llvm::SelectInst& choice) {
  auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (load == nullptr || !load->isSimple() || !load->hasOneUse()) return nullptr;
  if (load->getParent() != choice.getParent()) return nullptr;
  for (llvm::Instruction* next = load->getNextNode(); next != &choice; next = next->getNextNode()) {
    if (next->mayHaveSideEffects()) return nullptr;
  }
  return load;
}

void load_in_branches(llvm::SelectInst& choice, llvm::LoadInst* if_true, llvm::LoadInst* if_false) {
  llvm::BasicBlock* const before = choice.getParent();
  llvm::Instruction* then_end = nullptr;
  llvm::Instruction* else_end = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(choice.getCondition(), &choice, &then_end, &else_end);
  before->getTerminator()->setDebugLoc(choice.getDebugLoc());
  if (if_true != nullptr) if_true->moveBefore(then_end);
  if (if_false != nullptr) if_false->moveBefore(else_end);
  llvm::IRBuilder<> builder(&choice);
  llvm::PHINode* const chosen = builder.CreatePHI(choice.getType(), 2);
  chosen->addIncoming(choice.getTrueValue(), then_end->getParent());
  chosen->addIncoming(choice.getFalseValue(), else_end->getParent());
  choice.replaceAllUsesWith(chosen);
  choice.eraseFromParent();
}

}  // namespace

void load_where_chosen(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::SelectInst*> choices;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (choice != nullptr && choice->getCondition()->getType()->isIntegerTy()) {
        choices.push_back(choice);
      }
    }
    for (llvm::SelectInst* const choice : choices) {
      llvm::LoadInst* const if_true = movable(choice->getTrueValue(), *choice);
      llvm::LoadInst* const if_false = movable(choice->getFalseValue(), *choice);
      if (if_true != nullptr || if_false != nullptr) load_in_branches(*choice, if_true, if_false);
    }
  }
}

}  // namespace solway::emulator
