#include "codegen/llvm/object_code.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "codegen/llvm/detail/fuse_products.h"
#include "codegen/llvm/detail/machine_code.h"
#include "codegen/llvm/detail/runtime_definitions.h"
#include "codegen/llvm/emit_llvm.h"
#include "codegen/llvm/machine.h"
#include "codegen/llvm/optimize.h"

namespace solway::codegen {

ObjectCode compile_object(const ir::Kernel& kernel, const LlvmOptions& options) {
  const auto machine = make_machine(options);
  llvm::LLVMContext context;
  ObjectCode out;
  const auto module = emit_llvm(kernel, options, *machine, context, out.remarks);
  optimize(*module, *machine);
  if (machine->getTargetTriple().isVE()) {
    for (llvm::Function& function : *module) detail::fuse_products(function);
  }
  detail::define_runtime(*module);
  out.llvm_ir = detail::text_of(*module);
  const auto copy = llvm::CloneModule(*module);  // code generation changes its module
  const auto text = detail::machine_code(*copy, *machine, llvm::CodeGenFileType::AssemblyFile);
  out.assembly.assign(text.begin(), text.end());
  const auto bytes = detail::machine_code(*module, *machine, llvm::CodeGenFileType::ObjectFile);
  out.bytes.assign(bytes.begin(), bytes.end());
  return out;
}

}  // namespace solway::codegen
