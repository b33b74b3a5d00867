#pragma once

#include "codegen/llvm/jit.h"
#include "driver/executable.h"

namespace solway::driver {

/// A kernel as machine code of this machine, made by LLVM in this process.
class LlvmKernel final : public Executable {
 public:
  explicit LlvmKernel(codegen::JitKernel code, std::string name)
      : code_(std::move(code)), name_(std::move(name)) {}

  /// LLVM IR and assembly.
  std::map<std::string, std::string> sources() const override;
  void prepare() override {}
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override;

 private:
  codegen::JitKernel code_;
  std::string name_;
};

}  // namespace solway::driver
