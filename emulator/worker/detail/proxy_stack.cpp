#include <algorithm>
#include <fstream>

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

constexpr const char* kProxyTriple = "loongarch64-unknown-linux-gnu";

/// Frame sizes by function name, from LLVM's stack usage file.
std::map<std::string, std::uint64_t> frame_sizes(llvm::Module& module) {
  std::string message;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(kProxyTriple, message);
  llvm::SmallString<128> path;
  if (target == nullptr || llvm::sys::fs::createTemporaryFile("solway", "su", path)) {
    fail({.kind = "internal",
          .where = nullptr,
          .cause = nullptr,
          .cpe = -1,
          .what = "the stack of the CPE code cannot be measured",
          .why = message.empty() ? "no temporary file can be made" : message,
          .fix = ""});
  }
  llvm::TargetOptions options;
  options.StackUsageOutput = path.str().str();
  const std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      kProxyTriple, "la464", "+64bit,+d,+lsx,+lasx", options, llvm::Reloc::Static));
  module.setTargetTriple(kProxyTriple);
  module.setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  {
    llvm::legacy::PassManager passes;
    machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
    passes.run(module);
  }
  std::map<std::string, std::uint64_t> sizes;
  std::ifstream lines(path.c_str());
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    const auto colon = line.rfind(':', tab);
    if (tab == std::string::npos || colon == std::string::npos) continue;
    sizes[line.substr(colon + 1, tab - colon - 1)] = std::stoull(line.substr(tab + 1));
  }
  llvm::sys::fs::remove(path);
  return sizes;
}

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

ProxyStack measure_stack(const llvm::Module& cpe) {
  const auto copy = llvm::CloneModule(cpe);
  llvm::StripDebugInfo(*copy);
  std::set<std::string> address_taken;
  for (llvm::Function& function : *copy) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    if (!function.isDeclaration() && function.hasAddressTaken()) {
      address_taken.insert(function.getName().str());
    }
  }
  std::map<std::string, std::set<std::string>> calls;
  for (const llvm::Function& function : *copy) {
    if (!function.isDeclaration()) {
      calls[function.getName().str()] = callees_of(function, address_taken);
    }
  }
  ProxyStack stack;
  stack.own_bytes = frame_sizes(*copy);
  DeepestChain chain(calls, stack);
  for (const auto& [name, callees] : calls) chain.total(name);
  return stack;
}

}  // namespace solway::emulator
