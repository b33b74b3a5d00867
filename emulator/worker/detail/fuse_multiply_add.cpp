#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

/// The product among the operands that nothing else uses; null when there is none.
llvm::BinaryOperator* product(llvm::Value* value) {
  auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation == nullptr || operation->getOpcode() != llvm::Instruction::FMul) return nullptr;
  return operation->hasOneUse() && operation->hasAllowContract() ? operation : nullptr;
}

llvm::Value* fused(llvm::Instruction& sum) {
  const bool is_difference = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::Value* const left = sum.getOperand(0);
  llvm::Value* const right = sum.getOperand(1);
  llvm::BinaryOperator* const first = product(left);
  llvm::BinaryOperator* const second = first == nullptr ? product(right) : nullptr;
  if (first == nullptr && second == nullptr) return nullptr;
  const llvm::BinaryOperator& times = first != nullptr ? *first : *second;
  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  llvm::Value* factor = times.getOperand(0);
  llvm::Value* addend = first != nullptr ? right : left;
  if (is_difference && first != nullptr) addend = builder.CreateFNeg(addend);
  if (is_difference && first == nullptr) factor = builder.CreateFNeg(factor);
  return builder.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()},
                                 {factor, times.getOperand(1), addend});
}

}  // namespace

void fuse_multiply_add(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      const unsigned opcode = instruction.getOpcode();
      if (opcode != llvm::Instruction::FAdd && opcode != llvm::Instruction::FSub) continue;
      if (!instruction.hasAllowContract()) continue;
      llvm::Value* const out = fused(instruction);
      if (out == nullptr) continue;
      llvm::Instruction* const left = llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(0));
      llvm::Instruction* const right = llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(1));
      instruction.replaceAllUsesWith(out);
      instruction.eraseFromParent();
      for (llvm::Instruction* const operand : {left, right}) {
        if (operand != nullptr && operand->use_empty()) operand->eraseFromParent();
      }
    }
  }
}

}  // namespace solway::emulator
