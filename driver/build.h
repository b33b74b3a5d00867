#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "schedule/state.h"
#include "support/remark.h"

namespace solway::driver {

/// What to compile for and what to print on the way.
struct BuildOptions {
  std::string target = "host";
  std::string name = "kernel";
  bool poison_transfers = false;  ///< fill what a transfer will write until it is waited for
};

/// A schedule compiled for one target.
class CompiledKernel {
 public:
  /// One pointer per argument; 0 when done, else what the generated code documents.
  using Entry = std::int32_t (*)(void** args);

  const ir::Kernel& kernel() const { return kernel_; }
  const std::string& target() const { return target_; }
  /// Generated files by name: C for target "c", LLVM IR and assembly for "host".
  std::map<std::string, std::string> sources() const;
  const Remarks& remarks() const { return remarks_; }
  /// Compiles what has not been compiled yet. Throws UnsupportedError when no C compiler is there.
  Entry entry() const;

 private:
  friend CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                              const BuildOptions& options, const SourceLoc& where);
  struct Code;

  void compile_for_host(const BuildOptions& options);
  void compile_for_c(const schedule::State& state, const BuildOptions& options);

  ir::Kernel kernel_;
  std::string target_;
  Remarks remarks_;
  std::shared_ptr<Code> code_;
};

/// Compiles `state` with `args` as parameters, in order. Throws UnsupportedError for a target that
/// is not there, ArgumentMismatchError when an input or output is missing.
CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                     const BuildOptions& options, const SourceLoc& where);

/// The targets that build takes.
std::vector<std::string> target_names();

/// The schedule's loops as text; see lowering::print_loops.
std::string print_schedule(const schedule::State& state);

}  // namespace solway::driver
