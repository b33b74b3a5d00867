#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/instrument.h"

namespace solway::emulator {
namespace {

/// The compiler of the program had not seen the hooks: a function that touches no memory counts its
/// steps now and says that it does not end, so calls whose results nobody uses have to stay.
void forget_that_functions_have_no_effects(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::Memory);
    function.removeFnAttr(llvm::Attribute::WillReturn);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      const llvm::Function* const callee = call->getCalledFunction();
      if (callee != nullptr && callee->isDeclaration()) continue;
      call->removeFnAttr(llvm::Attribute::Memory);
      call->removeFnAttr(llvm::Attribute::WillReturn);
    }
  }
}

}  // namespace

void emit_object(llvm::Module& module, const std::string& path, llvm::CodeGenOptLevel effort) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(module, &stream)) {
    fail_internal("the instrumented program is not well-formed", stream.str());
  }
  llvm::StripDebugInfo(module);
  forget_that_functions_have_no_effects(module);
  const std::string triple = llvm::sys::getProcessTriple();
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (target == nullptr) fail_internal("there is no code generator for this machine", message);
  std::string features;
  for (const auto& [name, enabled] : llvm::sys::getHostCPUFeatures()) {
    features += (features.empty() ? "" : ",") + std::string(enabled ? "+" : "-") + name.str();
  }
  drop_processor(module);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // of what is written as one
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features, options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, effort));
  module.setDataLayout(machine->createDataLayout());
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_None);
  if (error) fail_internal("'" + path + "' cannot be written", error.message());
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, file, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    fail_internal("no object file can be made for this machine", triple);
  }
  passes.run(module);
}

}  // namespace solway::emulator
