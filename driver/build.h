#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/executable.h"
#include "driver/options.h"
#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "lowering/peel_pipelines.h"
#include "schedule/state.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// What to compile for and what to print on the way.
struct BuildOptions {
  std::string target = "host";  ///< what require_target() takes
  std::string name = "kernel";
  bool fast_math = false;  ///< instructions may be used that round otherwise: see allow_fast_dots
  bool poison_transfers = false;       ///< fill what a transfer will write until it is waited for
  std::optional<Target> machine = {};  ///< when there is one, the target, whatever `target` says
  PassOptions passes = PassOptions::from_environment();
  lowering::PipelineForm pipelines = pipelines_from_environment();
};

/// A schedule compiled for one target. Copies share the code.
class CompiledKernel {
 public:
  const ir::Kernel& kernel() const { return kernel_; }
  /// The name that was built for: "host", not what it stands for here.
  const std::string& target() const { return target_; }
  /// Generated files by name: LLVM IR and assembly, C, or C with kernel.toml and a Makefile.
  std::map<std::string, std::string> sources() const { return code_->sources(); }
  /// What a C program links and includes to call it, by name, as bytes: NAME.o, libNAME.a,
  /// libNAME.so and NAME.h of machine code, NAME.h of C; none of other sources. Made on each call.
  std::map<std::string, std::string> libraries(codegen::ParallelForm parallel,
                                               const SourceLoc& where) const;
  const Remarks& remarks() const { return remarks_; }
  /// (output, input): positions of parameters that a call may give one array.
  const std::vector<std::pair<std::size_t, std::size_t>>& shareable() const { return shareable_; }
  /// The sizes that a call gives, in order; their values are the last argument, as int64.
  const std::vector<dsl::Size>& sizes() const { return sizes_; }
  /// What calls must meet; the generated code checks it too.
  const std::vector<schedule::Assumption>& assumptions() const { return assumptions_; }
  /// Compiles what has not been compiled yet. Throws UnsupportedError when no C compiler is there.
  void prepare() const { code_->prepare(); }
  /// Whether calls may ask for threads: machine code of this machine.
  bool has_threads() const { return code_->has_threads(); }
  /// Calls it with one pointer per argument.
  RunReport run(std::span<void* const> arguments, const RunOptions& options = {}) const {
    return code_->run(arguments, options);
  }

 private:
  friend CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                              const BuildOptions& options, const SourceLoc& where);

  ir::Kernel kernel_;
  std::string target_;
  Remarks remarks_;
  std::vector<std::pair<std::size_t, std::size_t>> shareable_;
  std::vector<dsl::Size> sizes_;
  std::vector<schedule::Assumption> assumptions_;
  std::shared_ptr<Executable> code_;
  std::string header_;
};

/// Compiles `state` with `args` as parameters, in order. Throws UnsupportedError for a target that
/// is not there and for a buffer in a memory that it does not have, CapacityError for buffers that
/// do not fit, ArgumentMismatchError when an input or output is missing.
CompiledKernel build(const schedule::State& state, const std::vector<dsl::Tensor>& args,
                     const BuildOptions& options, const SourceLoc& where);

/// The schedule's loops as text; see lowering::print_loops. `cores` is 0 while no target is known.
std::string print_schedule(const schedule::State& state, std::int64_t cores = 0);

}  // namespace solway::driver
