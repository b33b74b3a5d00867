#include <cctype>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

/// "rcsr %0,4" in the form of LLVM is "rcsr $0,4"; blanks do not count.
std::string compact(llvm::StringRef text) {
  std::string result;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ';') result += c;
  }
  return result;
}

llvm::Value* csr_value(llvm::IRBuilder<>& builder, llvm::Module& module, char number) {
  llvm::Value* const id = builder.CreateCall(module.getOrInsertFunction(
      "__solway_cpe_id", llvm::FunctionType::get(builder.getInt32Ty(), false)));
  if (number == '1') return builder.CreateLShr(id, 3);
  if (number == '2') return builder.CreateAnd(id, 7);
  return id;
}

}  // namespace

void replace_assembly(llvm::Module& module) {
  if (!module.getModuleInlineAsm().empty()) module.setModuleInlineAsm("");
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->isInlineAsm()) calls.push_back(call);
    }
  }
  for (llvm::CallInst* const call : calls) {
    const auto* const assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    const std::string text = compact(assembly->getAsmString());
    if ((text.empty() || text == "memb") && call->getType()->isVoidTy()) {
      call->eraseFromParent();
      continue;
    }
    if (text.size() == 8 && text.starts_with("rcsr$0,") && text[7] >= '0' && text[7] <= '2' &&
        call->getType()->isIntegerTy()) {
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(
          builder.CreateZExtOrTrunc(csr_value(builder, module, text[7]), call->getType()));
      call->eraseFromParent();
      continue;
    }
    fail_at("unsupported", *call,
            "inline assembly \"" + assembly->getAsmString() + "\" cannot be emulated",
            "the emulator executes memb and rcsr 0, 1 and 2 only",
            "write it in C, or with the functions of slave.h and simd.h");
  }
}

}  // namespace solway::emulator
