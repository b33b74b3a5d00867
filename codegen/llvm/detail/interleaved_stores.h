#pragma once

#include <cstddef>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// How many of the statements from `first` on fill neighbouring places together: as many stores of
/// vectors as the elements of each lie apart, 2 to 4, to places of one buffer that are neighbours
/// in turn, of values that read other buffers. 0: it is another statement.
///
///   vstore(Y[0], 4, stride 2) = a
///   vstore(Y[1], 4, stride 2) = b
std::size_t interleaved_stores(const std::vector<ir::Stmt>& stmts, std::size_t first);

/// Emits so many stores as whole vectors of neighbours, whose lanes are put together by two-input
/// shuffles: a0 b0 a1 b1, a2 b2 a3 b3. All values are computed before the first is stored.
void emit_interleaved_stores(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                             const std::vector<ir::Stmt>& stmts, std::size_t first,
                             std::size_t count);

}  // namespace solway::codegen::detail
