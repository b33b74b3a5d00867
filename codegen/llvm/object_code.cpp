#include "codegen/llvm/object_code.h"

#include <utility>

#include "codegen/llvm/detail/module_code.h"

namespace solway::codegen {

ObjectCode compile_object(const ir::Kernel& kernel, const LlvmOptions& options) {
  detail::ModuleCode made = detail::compile_module(kernel, options, detail::RuntimeCalls::Inside);
  return {std::move(made.object), std::move(made.llvm_ir), std::move(made.remarks), options};
}

std::string ObjectCode::assembly() const { return detail::assembly_of(llvm_ir, options); }

}  // namespace solway::codegen
