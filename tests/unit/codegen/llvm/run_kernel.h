#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/jit.h"
#include "lowering/ir/parser.h"
#include "runtime/pool.h"

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

/// Compiles the kernel of that text for a team.
inline JitKernel compile_for_team(const std::string& text) {
  LlvmOptions options;
  options.parallel = ParallelForm::Team;
  return compile_text(text, options);
}

/// Calls with the data of each vector on up to so many threads; returns the status.
template <class... Vectors>
KernelStatus run_on(int threads, const JitKernel& kernel, Vectors&... vectors) {
  void* args[] = {static_cast<void*>(vectors.data())...};
  runtime::TeamLease lease(threads);
  return static_cast<KernelStatus>(kernel.team_entry()(args, lease.team()));
}

}  // namespace solway::codegen
