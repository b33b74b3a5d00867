#pragma once

#include <cstddef>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// The loads of a square: of each row, which is a store of vectors, in order.
using SquareOfLoads = std::vector<const ir::VectorLoad*>;

/// The squares that the statements from `first` on load: as many of them as vectors have lanes
/// store vectors to one buffer, whose values load others with one stride from places that are
/// neighbours in turn. Empty: it is another statement.
///
///   vstore(T[0, 0], 4) = vload(A[0], 4, stride 9)
///   vstore(T[1, 0], 4) = vload(A[1], 4, stride 9)   and 2 more
///
/// Of parts of vectors, as many lanes everywhere.
///
/// All rows are loaded before the first is stored. That is what it was: where an argument may be
/// another one, every element is read before it is stored.
std::vector<SquareOfLoads> turned_squares(const std::vector<ir::Stmt>& stmts, std::size_t first);

/// Emits the stores of squares: their rows are loaded whole and turned by two-input shuffles in as
/// many steps as the number of lanes has bits. Returns how many statements that were.
std::size_t emit_turned_squares(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                                const std::vector<ir::Stmt>& stmts, std::size_t first,
                                const std::vector<SquareOfLoads>& squares);

}  // namespace solway::codegen::detail
