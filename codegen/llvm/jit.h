#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/llvm/options.h"
#include "lowering/ir/stmt.h"
#include "runtime/team.h"

namespace solway::codegen {

/// A kernel compiled to machine code in this process. The code lives as long as this object.
///
/// The pointers of written parameters must not overlap any other parameter, and every pointer has
/// the alignment of its buffer: the code relies on both and checks neither.
class JitKernel {
 public:
  /// One pointer per parameter, in order; returns a KernelStatus.
  using Entry = std::int32_t (*)(void** args);
  /// The same on the threads of a team.
  using TeamEntry = std::int32_t (*)(void** args, runtime::Team* team);

  /// Requires the text form of the stage after unrolling; Parallel, Vectorized and Unrolled loops
  /// are accepted too (see `remarks`). Throws UnsupportedError for scalable lanes and for a cpu
  /// that is unknown or that has instructions which this machine lacks.
  static JitKernel compile(const ir::Kernel& kernel, const LlvmOptions& options = {});

  JitKernel(JitKernel&&) noexcept;
  JitKernel& operator=(JitKernel&&) noexcept;
  ~JitKernel();

  /// Of code for one thread, which is_on_team() is not.
  Entry entry() const;
  /// Of code for a team.
  TeamEntry team_entry() const;
  /// Whether a call needs a team: options asked for it, and team_lack() had nothing to say.
  bool is_on_team() const;
  /// After optimisation; the same bytes for the same kernel and options.
  const std::string& llvm_ir() const;
  /// The code that runs, as assembly text. Made on each call.
  std::string assembly() const;
  const Remarks& remarks() const;
  double compile_seconds() const;

 private:
  struct Impl;
  explicit JitKernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace solway::codegen
