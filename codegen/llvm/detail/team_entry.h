#pragma once

#include <cstdint>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "codegen/llvm/detail/memory_plan.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// The alignment of the memory that an entry provides.
std::int64_t arena_alignment(const MemoryPlan& plan);

/// Memory of so many bytes (i64); returns KernelStatus::OutOfMemory from the function where there
/// is none.
llvm::Value* emit_allocation(llvm::IRBuilder<>& b, std::int64_t alignment, llvm::Value* bytes);

/// The entry `i32 name(ptr args, ptr team)` of code for a team, and what it gives each thread to
/// do: `body` on the memory that all have and on a part of the rest.
llvm::Function* emit_team_entry(llvm::Module& module, const ir::Kernel& kernel,
                                const MemoryPlan& plan, llvm::Function& body,
                                const std::string& name);

}  // namespace solway::codegen::detail
