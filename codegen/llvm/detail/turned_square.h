#pragma once

#include <cstddef>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// Whether the statements from `first` on store a square: as many vectors as these have lanes, all
/// to another buffer, in near memory, than they come from, loaded with one stride from places that
/// are neighbours in turn.
///
///   vstore(T[0, 0], 4) = vload(A[0], 4, stride 9)
///   vstore(T[1, 0], 4) = vload(A[1], 4, stride 9)   and 2 more
bool is_turned_square(const std::vector<ir::Stmt>& stmts, std::size_t first);

/// Emits such a square: its rows are loaded whole, turned by two-input shuffles in as many steps as
/// the number of lanes has bits, and stored. Returns how many statements that were.
std::size_t emit_turned_square(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                               const std::vector<ir::Stmt>& stmts, std::size_t first);

}  // namespace solway::codegen::detail
