#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/llvm/options.h"
#include "lowering/ir/stmt.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace solway::codegen {

/// Symbol of the kernel's entry: its name, with "_kernel" after it where the C library has that
/// name already.
std::string entry_symbol(const ir::Kernel& kernel);

/// Translates a kernel to a module with two functions: the entry `i32 name(ptr args)`, or with one
/// pointer per parameter, which provides memory, and an internal `name.body` with one noalias
/// pointer per parameter and per buffer that is too large for the stack. With ParallelForm::Team,
/// and unless team_lack() has something to say, the entry is `i32 name(ptr args, ptr team)`: it
/// gives an internal `name.thread` to the team, whose threads each call `name.body` with memory of
/// their own; buffers of scope "main" they have in common. One pointer per parameter then means
/// that the module has a team of its own (detail/library_entry.h).
///
/// Integers wrap, floats follow IEEE without fast-math flags but for `contract` on additions and
/// multiplications: `a * b + c` may be rounded once instead of twice. That never shows while
/// products and sums are exact, so integer-valued data give the same bits as the C target.
std::unique_ptr<llvm::Module> emit_llvm(const ir::Kernel& kernel, const LlvmOptions& options,
                                        llvm::TargetMachine& machine, llvm::LLVMContext& context,
                                        Remarks& remarks);

}  // namespace solway::codegen
