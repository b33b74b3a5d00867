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

/// Assembly text or the bytes of an object file. Changes the module.
llvm::SmallVector<char, 0> machine_code(llvm::Module& module, llvm::TargetMachine& machine,
                                        llvm::CodeGenFileType type);

}  // namespace solway::codegen::detail
