#pragma once

#include <map>
#include <set>
#include <string>

#include <llvm/IR/Module.h>

namespace solway::emulator {

/// Which functions of a module call which; a call through a pointer may be of every function whose
/// address is taken.
class CallGraph {
 public:
  explicit CallGraph(const llvm::Module& module);

  /// By name, of those that the module defines.
  const std::map<std::string, std::set<std::string>>& callees() const { return callees_; }
  std::set<std::string> callees_of(const llvm::BasicBlock& block) const;

 private:
  std::set<std::string> address_taken_;
  std::map<std::string, std::set<std::string>> callees_;
};

}  // namespace solway::emulator
