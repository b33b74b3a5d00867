#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace solway::codegen::detail {

/// The entry of a library whose code brings a team of its own, over one pointer per parameter:
///
///     i32 name(ptr A, ptr B) { args = {A, B}; return solway_library_call(on_team, args) }
///
/// with what runtime/library_team.c defines put into the module, internal but for
/// `void name_set_threads(i32)`. `on_team` is what emit_team_entry() made and becomes internal.
void emit_library_entry(llvm::Module& module, llvm::Function& on_team,
                        const std::vector<std::string>& parameters, const std::string& name);

}  // namespace solway::codegen::detail
