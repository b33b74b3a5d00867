#pragma once

#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/CodeGen.h>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace solway::codegen::detail {

/// LLVM IR as text.
std::string text_of(const llvm::Module& module);

/// Marks a module's functions whose instructions stay in the order of the IR, as far as operands
/// allow: LLVM's scheduler, which hides latencies, may want more registers than there are.
inline constexpr const char* kOrderAttribute = "solway-source-order";

/// What a module becomes.
struct MachineCode {
  llvm::SmallVector<char, 0> bytes;  ///< assembly text, or those of an object file
  int spilled = 0;  ///< instructions that move vectors to or from where registers are spilled
};

/// Changes the module.
MachineCode machine_code(llvm::Module& module, llvm::TargetMachine& machine,
                         llvm::CodeGenFileType type);

}  // namespace solway::codegen::detail
