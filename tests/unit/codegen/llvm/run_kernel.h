#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/jit.h"
#include "lowering/ir/parser.h"

namespace solway::codegen {

/// Compiles the kernel of that text.
inline JitKernel compile_text(const std::string& text, const LlvmOptions& options = {}) {
  return JitKernel::compile(ir::parse_kernel(text), options);
}

/// Calls with the data of each vector; returns the status.
template <class... Vectors>
KernelStatus run(const JitKernel& kernel, Vectors&... vectors) {
  void* args[] = {static_cast<void*>(vectors.data())...};
  return static_cast<KernelStatus>(kernel.entry()(args));
}

}  // namespace solway::codegen
