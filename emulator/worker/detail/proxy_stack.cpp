#include <algorithm>

#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {
namespace {

std::set<std::string> callees_of(const llvm::Function& function,
                                 const std::set<std::string>& address_taken) {
  std::set<std::string> callees;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    if (const llvm::Function* const callee = call->getCalledFunction()) {
      if (!callee->isDeclaration()) callees.insert(callee->getName().str());
    } else if (!call->isInlineAsm()) {
      callees.insert(address_taken.begin(), address_taken.end());
    }
  }
  return callees;
}

class DeepestChain {
 public:
  DeepestChain(const std::map<std::string, std::set<std::string>>& calls, ProxyStack& stack)
      : calls_(calls), stack_(stack) {}

  std::uint64_t total(const std::string& name) {
    const auto known = stack_.total_bytes.find(name);
    if (known != stack_.total_bytes.end()) return known->second;
    const auto on_path = std::find(path_.begin(), path_.end(), name);
    if (on_path != path_.end()) {
      stack_.recursive.insert(on_path, path_.end());
      return 0;
    }
    path_.push_back(name);
    std::uint64_t deepest = 0;
    for (const std::string& callee : calls_.at(name)) deepest = std::max(deepest, total(callee));
    path_.pop_back();
    const std::uint64_t sum = stack_.own_bytes[name] + deepest;
    stack_.total_bytes[name] = sum;
    return sum;
  }

 private:
  const std::map<std::string, std::set<std::string>>& calls_;
  ProxyStack& stack_;
  std::vector<std::string> path_;
};

}  // namespace

ProxyStack measure_stack(const llvm::Module& cpe, const ProxyCode& code) {
  std::set<std::string> address_taken;
  for (const llvm::Function& function : cpe) {
    if (!function.isDeclaration() && function.hasAddressTaken()) {
      address_taken.insert(function.getName().str());
    }
  }
  std::map<std::string, std::set<std::string>> calls;
  for (const llvm::Function& function : cpe) {
    if (!function.isDeclaration()) {
      calls[function.getName().str()] = callees_of(function, address_taken);
    }
  }
  ProxyStack stack;
  for (const auto& [name, function] : code.functions) stack.own_bytes[name] = function.frame_bytes;
  DeepestChain chain(calls, stack);
  for (const auto& [name, callees] : calls) chain.total(name);
  return stack;
}

}  // namespace solway::emulator
