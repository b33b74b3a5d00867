#include "codegen/llvm/machine.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>

#include "support/error.h"

namespace solway::codegen {
namespace {

[[noreturn]] void fail(const LlvmOptions& options, std::string why, std::string fix) {
  throw UnsupportedError({{},
                          "code for cpu '" + options.cpu + "' with features '" + options.features +
                              "' cannot run here",
                          std::move(why),
                          std::move(fix)});
}

const llvm::Target& native_target(const LlvmOptions& options, const std::string& triple) {
  static const bool kInitialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)kInitialized;
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) fail(options, error, "build solway with LLVM's target for this machine");
  return *target;
}

/// Every feature of this machine that LLVM can detect, on or off.
std::string host_features() {
  std::string features;
  // StringMap has no order: sort, so that the attribute text is stable.
  std::vector<std::string> parts;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    parts.push_back((feature.second ? "+" : "-") + feature.first().str());
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) features += (features.empty() ? "" : ",") + part;
  return features;
}

void require_runs_here(const LlvmOptions& options, const llvm::TargetMachine& machine) {
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    if (feature.second) continue;
    const std::string name = feature.first().str();
    if (machine.getMCSubtargetInfo()->checkFeatures("+" + name)) {
      fail(options, "it uses '" + name + "', which this machine lacks",
           "leave cpu empty for " + llvm::sys::getHostCPUName().str());
    }
  }
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_host_machine(const LlvmOptions& options) {
  const std::string triple = llvm::sys::getProcessTriple();
  const llvm::Target& target = native_target(options, triple);
  const bool is_host = options.cpu.empty();
  const std::string cpu = is_host ? llvm::sys::getHostCPUName().str() : options.cpu;
  std::string features = is_host ? host_features() : "";
  if (!options.features.empty()) features += (features.empty() ? "" : ",") + options.features;

  const auto make = [&](const std::string& name, const std::string& feature_text) {
    return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
        triple, name, feature_text, llvm::TargetOptions(), llvm::Reloc::PIC_,
        llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  };
  if (!is_host && !make("", "")->getMCSubtargetInfo()->isCPUStringValid(cpu)) {
    fail(options, "LLVM knows no cpu '" + cpu + "' of " + triple,
         "leave cpu empty for " + llvm::sys::getHostCPUName().str());
  }
  auto machine = make(cpu, features);
  require_runs_here(options, *machine);
  return machine;
}

}  // namespace solway::codegen
