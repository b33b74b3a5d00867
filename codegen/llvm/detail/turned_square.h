#pragma once

#include <cstddef>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// The loads of a square: of each row, which is a store of vectors, in order.
using SquareOfLoads = std::vector<const ir::VectorLoad*>;

/// Marks a function whose cpu loads elements of 4 bytes and more with masks (AVX2).
inline constexpr const char* kWordMasksAttribute = "solway-word-masks";

/// The least bytes of elements that the cpu of a function loads with masks; many: it has none.
int masked_bytes_of(const llvm::Function& function);

/// The squares that the statements from `first` on load: as many of them as vectors have lanes
/// store vectors to one buffer, whose values load others with one stride from places that are
/// neighbours in turn. Empty: it is another statement.
///
///   vstore(T[0, 0], 4) = vload(A[0], 4, stride 9)
///   vstore(T[1, 0], 4) = vload(A[1], 4, stride 9)   and 2 more
///
/// Of parts of vectors, as many lanes everywhere. Of elements that the cpu loads with masks, from
/// `masked_bytes` on, also of fewer rows: a quarter at least of what vectors have lanes.
///
/// All rows are loaded before the first is stored. That is what it was: where an argument may be
/// another one, every element is read before it is stored.
std::vector<SquareOfLoads> turned_squares(const std::vector<ir::Stmt>& stmts, std::size_t first,
                                          int masked_bytes);

/// Emits the stores of squares: their rows are loaded whole and turned by two-input shuffles in as
/// many steps as the number of lanes has bits. Returns how many statements that were.
std::size_t emit_turned_squares(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                                const std::vector<ir::Stmt>& stmts, std::size_t first,
                                const std::vector<SquareOfLoads>& squares);

}  // namespace solway::codegen::detail
