#pragma once

#include <string>

#include "codegen/llvm/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// A kernel as files for a linker.
struct ObjectCode {
  std::string bytes;  ///< of an object file; position-independent
  std::string llvm_ir;
  Remarks remarks;
  LlvmOptions options;  ///< that it was made with

  /// As text. Made on each call.
  std::string assembly() const;
};

/// Compiles for the options' machine, which need not be this one. The object defines one symbol,
/// the entry, and refers to nothing but functions of the C library and its libm. The same bytes
/// for the same kernel and options. Throws as JitKernel::compile does.
ObjectCode compile_object(const ir::Kernel& kernel, const LlvmOptions& options);

}  // namespace solway::codegen
