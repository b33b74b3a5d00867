#include "emulator/worker/detail/call_graph.h"

#include <llvm/IR/InstrTypes.h>

namespace solway::emulator {

CallGraph::CallGraph(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() && function.hasAddressTaken()) {
      address_taken_.insert(function.getName().str());
    }
  }
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    std::set<std::string>& callees = callees_[function.getName().str()];
    for (const llvm::BasicBlock& block : function) callees.merge(callees_of(block));
  }
}

std::set<std::string> CallGraph::callees_of(const llvm::BasicBlock& block) const {
  std::set<std::string> callees;
  for (const llvm::Instruction& instruction : block) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    if (const llvm::Function* const callee = call->getCalledFunction()) {
      if (!callee->isDeclaration()) callees.insert(callee->getName().str());
    } else if (!call->isInlineAsm()) {
      callees.insert(address_taken_.begin(), address_taken_.end());
    }
  }
  return callees;
}

}  // namespace solway::emulator
