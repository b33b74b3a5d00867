#include "codegen/llvm/detail/widen_bytes.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace solway::codegen::detail {
namespace {

constexpr unsigned kByte = 8;

bool is_of_bytes(const llvm::Instruction& instruction) {
  const bool converts = instruction.getOpcode() == llvm::Instruction::SIToFP ||
                        instruction.getOpcode() == llvm::Instruction::UIToFP;
  if (!converts || !llvm::isa<llvm::FixedVectorType>(instruction.getType())) return false;
  return instruction.getType()->getScalarType()->isDoubleTy() &&
         instruction.getOperand(0)->getType()->getScalarSizeInBits() <= kByte;
}

}  // namespace

void widen_bytes(llvm::Function& function) {
  std::vector<llvm::Instruction*> conversions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_of_bytes(instruction)) conversions.push_back(&instruction);
  }
  for (llvm::Instruction* conversion : conversions) {
    llvm::IRBuilder<> b(conversion);
    llvm::Value* const bytes = conversion->getOperand(0);
    llvm::Type* const wide = bytes->getType()->getWithNewBitWidth(64);
    const bool is_signed = conversion->getOpcode() == llvm::Instruction::SIToFP;
    conversion->setOperand(0, is_signed ? b.CreateSExt(bytes, wide) : b.CreateZExt(bytes, wide));
  }
}

}  // namespace solway::codegen::detail
