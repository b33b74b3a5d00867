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
#include <llvm/TargetParser/Triple.h>

#include "support/error.h"

namespace solway::codegen {
namespace {

[[noreturn]] void fail(const LlvmOptions& options, std::string why, std::string fix) {
  const bool is_foreign = !options.triple.empty();
  throw UnsupportedError({{},
                          "code for cpu '" + options.cpu + "' with features '" + options.features +
                              "' cannot " +
                              (is_foreign ? "be made for '" + options.triple + "'" : "run here"),
                          std::move(why),
                          std::move(fix)});
}

/// The code generators of the machines that target files describe.
bool initialize_targets() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeVETargetInfo();
  LLVMInitializeVETarget();
  LLVMInitializeVETargetMC();
  LLVMInitializeVEAsmPrinter();
  return true;
}

const llvm::Target& target_of(const LlvmOptions& options, const std::string& triple) {
  static const bool kInitialized = initialize_targets();
  (void)kInitialized;
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) {
    fail(options, error, "name a machine of architecture x86-64, AArch64, RISC-V or VE");
  }
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

/// The calling convention with vectors and floats in registers, where the default is another.
std::string abi_of(const llvm::Triple& triple) { return triple.isRISCV64() ? "lp64d" : ""; }

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_machine(const LlvmOptions& options) {
  const bool runs_here = options.triple.empty();
  const std::string triple = runs_here ? llvm::sys::getProcessTriple() : options.triple;
  const llvm::Target& target = target_of(options, triple);
  const bool is_host_cpu = runs_here && options.cpu.empty();
  const std::string cpu = is_host_cpu ? llvm::sys::getHostCPUName().str() : options.cpu;
  std::string features = is_host_cpu ? host_features() : "";
  if (!options.features.empty()) features += (features.empty() ? "" : ",") + options.features;

  llvm::TargetOptions target_options;
  target_options.MCOptions.ABIName = abi_of(llvm::Triple(triple));
  const auto make = [&](const std::string& name, const std::string& feature_text) {
    return std::unique_ptr<llvm::TargetMachine>(
        target.createTargetMachine(triple, name, feature_text, target_options, llvm::Reloc::PIC_,
                                   llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  };
  if (!is_host_cpu && !make("", "")->getMCSubtargetInfo()->isCPUStringValid(cpu)) {
    fail(options, "LLVM knows no cpu '" + cpu + "' of " + triple,
         runs_here ? "leave cpu empty for " + llvm::sys::getHostCPUName().str()
                   : "correct llvm_cpu in the target file");
  }
  auto machine = make(cpu, features);
  if (runs_here) require_runs_here(options, *machine);
  return machine;
}

bool is_this_machine(const std::string& triple) {
  return llvm::Triple(triple).getArch() == llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

}  // namespace solway::codegen
