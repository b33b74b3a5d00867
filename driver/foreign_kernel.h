#pragma once

#include <memory>
#include <mutex>

#include "codegen/llvm/object_code.h"
#include "driver/executable.h"
#include "driver/temporary_folder.h"
#include "lowering/ir/stmt.h"
#include "support/target.h"

namespace solway::driver {

/// A kernel as machine code of another machine. Calls run it in a program of its own under the
/// emulator that the target names, which needs that emulator and the target's C compiler.
class ForeignKernel final : public Executable {
 public:
  ForeignKernel(const ir::Kernel& kernel, codegen::LlvmOptions options, Target target,
                SourceLoc where);

  /// LLVM IR and assembly.
  std::map<std::string, std::string> sources() const override;
  std::map<std::string, std::string> libraries(codegen::ParallelForm parallel,
                                               const SourceLoc& where) const override;
  /// Links the program that calls run. Throws UnsupportedError when the compiler or the emulator is
  /// not there, or the target names no emulator.
  void prepare() override;
  /// The seconds are those of the emulator, which say nothing of the machine.
  RunReport run(std::span<void* const> arguments, const RunOptions& options) override;

  const Remarks& remarks() const { return code_.remarks; }

 private:
  ir::Kernel kernel_;
  codegen::LlvmOptions options_;
  codegen::ObjectCode code_;
  Target target_;
  SourceLoc where_;
  std::mutex mutex_;                         ///< of the folder
  std::vector<std::string> command_;         ///< the emulator and its options
  std::unique_ptr<TemporaryFolder> folder_;  ///< that holds the program
};

}  // namespace solway::driver
