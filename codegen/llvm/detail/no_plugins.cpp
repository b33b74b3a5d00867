#include <llvm/Passes/PassPlugin.h>

// LLVM's linker library can optimise programs while it links them, and asks for what that takes:
// Polly, where a distribution built it into LLVM, and the code generators of all machines. Nothing
// is optimised here at that time, so that these do nothing; the machines that solway generates
// code for have their own.
//
// Polly would also bring an isl that stands beside ours.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {  // NOLINT(readability-identifier-naming)
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder&) {}};
}

#define SOLWAY_NO_PART(machine, part) \
  extern "C" void LLVMInitialize##machine##part() {}
#define SOLWAY_NO_MACHINE(machine)    \
  SOLWAY_NO_PART(machine, TargetInfo) \
  SOLWAY_NO_PART(machine, Target)     \
  SOLWAY_NO_PART(machine, TargetMC)   \
  SOLWAY_NO_PART(machine, AsmPrinter) \
  SOLWAY_NO_PART(machine, AsmParser)

SOLWAY_OTHER_MACHINES
