#include "codegen/llvm/detail/fuse_products.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace solway::codegen::detail {
namespace {

/// The product that may be contracted into what uses it, or null.
llvm::BinaryOperator* product_or_null(llvm::Value* value) {
  auto* product = llvm::dyn_cast<llvm::BinaryOperator>(value);
  const bool is_one = product != nullptr && product->getOpcode() == llvm::Instruction::FMul &&
                      product->hasOneUse() && product->hasAllowContract();
  return is_one ? product : nullptr;
}

}  // namespace

void fuse_products(llvm::Function& function) {
  std::vector<llvm::BinaryOperator*> sums;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const bool is_sum = instruction.getOpcode() == llvm::Instruction::FAdd &&
                        instruction.getType()->isVectorTy() && instruction.hasAllowContract();
    if (is_sum) sums.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  }
  for (llvm::BinaryOperator* sum : sums) {
    for (unsigned k = 0; k < 2; ++k) {
      llvm::BinaryOperator* product = product_or_null(sum->getOperand(k));
      if (product == nullptr) continue;
      llvm::IRBuilder<> b(sum);
      llvm::Value* fused = b.CreateIntrinsic(
          llvm::Intrinsic::fma, {sum->getType()},
          {product->getOperand(0), product->getOperand(1), sum->getOperand(1 - k)});
      fused->takeName(sum);
      sum->replaceAllUsesWith(fused);
      sum->eraseFromParent();
      product->eraseFromParent();
      break;
    }
  }
}

}  // namespace solway::codegen::detail
