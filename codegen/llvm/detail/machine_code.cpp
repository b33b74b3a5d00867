#include "codegen/llvm/detail/machine_code.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "support/error.h"

namespace solway::codegen::detail {

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

llvm::SmallVector<char, 0> machine_code(llvm::Module& module, llvm::TargetMachine& machine,
                                        llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) {
    throw InternalError({{},
                         "machine code of '" + module.getModuleIdentifier() + "'",
                         "LLVM's target makes no such file",
                         ""});
  }
  passes.run(module);
  return bytes;
}

}  // namespace solway::codegen::detail
