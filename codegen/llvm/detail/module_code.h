#pragma once

#include <cstdint>
#include <string>

#include "codegen/llvm/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// A kernel as LLVM makes it.
struct ModuleCode {
  std::string llvm_ir;  ///< after optimisation
  std::string object;   ///< bytes of an object file
  Remarks remarks;
};

/// What calls of the runtime's functions become.
enum class RuntimeCalls : std::uint8_t {
  Outside,  ///< references that the in-process linker resolves
  Inside    ///< functions of the module
};

/// Emits, optimises and compiles a kernel, contained (detail/contained.h). The same bytes for the
/// same arguments. Throws UnsupportedError where LLVM's code generator gives up, what
/// make_machine() throws, and InternalError.
ModuleCode compile_module(const ir::Kernel& kernel, const LlvmOptions& options, RuntimeCalls calls);

/// The assembly text of LLVM IR that compile_module() made with these options.
std::string assembly_of(const std::string& llvm_ir, const LlvmOptions& options);

}  // namespace solway::codegen::detail
