#pragma once

#include <memory>
#include <string>

#include "codegen/llvm/options.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace solway::codegen {

/// The machine description for the options' triple, cpu and features. Throws UnsupportedError when
/// the cpu is unknown or the triple's code generator is not there, and, for code that is to run in
/// this process (an empty triple), when this machine lacks instructions of the cpu.
std::unique_ptr<llvm::TargetMachine> make_machine(const LlvmOptions& options);

/// Whether code for that triple runs in this process, as far as the architecture goes.
bool is_this_machine(const std::string& triple);

}  // namespace solway::codegen
