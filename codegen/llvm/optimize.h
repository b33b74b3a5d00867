#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace solway::codegen {

/// Runs LLVM's scalar optimisations of -O2: SROA, InstCombine, GVN, LICM, dead stores and so on.
/// No loop or SLP vectoriser and no unrolling that the schedule did not ask for: vector forms and
/// loop structure are decided before.
void optimize(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace solway::codegen
