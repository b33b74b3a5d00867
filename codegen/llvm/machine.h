#pragma once

#include <memory>

#include "codegen/llvm/options.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace solway::codegen {

/// The machine description of this process for the options' cpu and features. Throws
/// UnsupportedError when the cpu is unknown, or has instructions that this machine lacks.
std::unique_ptr<llvm::TargetMachine> make_host_machine(const LlvmOptions& options);

}  // namespace solway::codegen
