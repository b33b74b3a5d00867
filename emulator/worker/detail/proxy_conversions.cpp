#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {
namespace {

constexpr unsigned kLanes = 4;

bool is_of_lanes(const llvm::Type* type) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && vector->getNumElements() == kLanes;
}

/// The name of the core's instruction; null: it is none of these.
const char* conversion_or_null(const llvm::Instruction& one) {
  if (!is_of_lanes(one.getType())) return nullptr;
  if (llvm::isa<llvm::FPExtInst>(one)) return kWiden;
  return llvm::isa<llvm::FPTruncInst>(one) ? kNarrow : nullptr;
}

}  // namespace

void use_conversions(llvm::Module& module, const std::string& vector) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& one : llvm::instructions(function)) {
      if (conversion_or_null(one) != nullptr) found.push_back(&one);
    }
  }
  for (llvm::Instruction* const one : found) {
    llvm::IRBuilder<> builder(one);
    llvm::Value* const from = one->getOperand(0);
    auto* const type = llvm::FunctionType::get(one->getType(), {from->getType()}, false);
    auto* const converted =
        llvm::InlineAsm::get(type, conversion_or_null(*one), "=" + vector + "," + vector, false);
    one->replaceAllUsesWith(builder.CreateCall(type, converted, {from}));
    one->eraseFromParent();
  }
}

}  // namespace solway::emulator
