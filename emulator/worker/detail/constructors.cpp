/// What C++ runs before the program: the initial values of static objects.
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/kernel_module.h"

namespace solway::emulator {
namespace {

constexpr const char* kList = "llvm.global_ctors";

/// By their priority, then as they were written.
std::vector<llvm::Function*> constructors_of(const llvm::Module& module) {
  const llvm::GlobalVariable* const list = module.getNamedGlobal(kList);
  if (list == nullptr) return {};
  std::multimap<std::uint64_t, llvm::Function*> sorted;
  for (const llvm::Use& entry : list->getInitializer()->operands()) {
    const auto* const row = llvm::cast<llvm::ConstantStruct>(entry.get());
    const auto* const priority = llvm::cast<llvm::ConstantInt>(row->getOperand(0));
    auto* const function = llvm::dyn_cast<llvm::Function>(row->getOperand(1)->stripPointerCasts());
    if (function != nullptr) sorted.emplace(priority->getZExtValue(), function);
  }
  std::vector<llvm::Function*> out;
  for (const auto& [priority, function] : sorted) out.push_back(function);
  return out;
}

/// The first line of a variable; null without debug information.
const llvm::DILocation* first_variable(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::DILocation* at = instruction.getDebugLoc().get();
    if (at == nullptr || at->getLine() == 0) continue;
    // The outermost function lists the variables of a file; one for each of them is in between.
    while (at->getInlinedAt() != nullptr && at->getInlinedAt()->getInlinedAt() != nullptr) {
      at = at->getInlinedAt();
    }
    return at;
  }
  return nullptr;
}

}  // namespace

void refuse_constructors(const llvm::Module& cpe) {
  for (const llvm::Function* const function : constructors_of(cpe)) {
    fail_at("unsupported", first_variable(*function),
            "a variable of CPE code whose initial value is computed",
            "nothing runs on a CPE before the function that it is started with",
            "give it a constant value, or set it in that function");
  }
}

void collect_constructors(llvm::Module& program) {
  const std::vector<llvm::Function*> constructors = constructors_of(program);
  if (llvm::GlobalVariable* const list = program.getNamedGlobal(kList)) list->eraseFromParent();
  if (constructors.empty()) return;
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(program.getContext()), false);
  auto* const all =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, kConstructors, program);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(program.getContext(), "", all));
  for (llvm::Function* const constructor : constructors) builder.CreateCall(constructor, {});
  builder.CreateRetVoid();
}

}  // namespace solway::emulator
