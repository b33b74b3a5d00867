#pragma once

#include "codegen/llvm/jit.h"
#include "driver/executable.h"
#include "lowering/ir/stmt.h"

namespace solway::driver {

/// A kernel as machine code of this machine, made by LLVM in this process.
class LlvmKernel final : public Executable {
 public:
  LlvmKernel(ir::Kernel kernel, codegen::LlvmOptions options)
      : code_(codegen::JitKernel::compile(kernel, options)),
        kernel_(std::move(kernel)),
        options_(std::move(options)) {}

  /// LLVM IR and assembly.
  std::map<std::string, std::string> sources() const override;
  std::map<std::string, std::string> libraries(codegen::ParallelForm parallel,
                                               const SourceLoc& where) const override;
  void prepare() override {}
  bool has_threads() const override { return true; }
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override;

  const Remarks& remarks() const { return code_.remarks(); }

 private:
  codegen::JitKernel code_;
  ir::Kernel kernel_;
  codegen::LlvmOptions options_;
};

}  // namespace solway::driver
