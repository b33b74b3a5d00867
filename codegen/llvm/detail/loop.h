#pragma once

#include <llvm/IR/IRBuilder.h>

namespace solway::codegen::detail {

/// Emits `for iv in [begin, end) body(iv)` with the test at the bottom, and leaves the builder
/// behind it. Returns the branch back to the body, which carries the loop's metadata.
template <class Body>
llvm::BranchInst* emit_loop(llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end,
                            const llvm::Twine& name, Body body) {
  llvm::Function* function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock* before = b.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(b.getContext(), name, function);
  auto* after = llvm::BasicBlock::Create(b.getContext(), name + ".end", function);
  b.CreateCondBr(b.CreateICmpSLT(begin, end), loop, after);
  b.SetInsertPoint(loop);
  llvm::PHINode* iv = b.CreatePHI(b.getInt64Ty(), 2, name);
  iv->addIncoming(begin, before);
  body(iv);
  // No overflow: iv < end here.
  llvm::Value* next = b.CreateNSWAdd(iv, b.getInt64(1));
  iv->addIncoming(next, b.GetInsertBlock());
  llvm::BranchInst* back = b.CreateCondBr(b.CreateICmpSLT(next, end), loop, after);
  b.SetInsertPoint(after);
  return back;
}

}  // namespace solway::codegen::detail
