#pragma once

#include <cstddef>
#include <vector>

#include "codegen/athread/c_expr.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// Whether the four stores from `first` on copy a square of float32 that is turned: each stores a
/// vector whose lanes lie one row apart in near memory, and each begins beside the one before.
///
///   vstore(T[0, 0], 4) = vload(W[0, 0], 4, stride 9)
///   vstore(T[1, 0], 4) = vload(W[0, 1], 4, stride 9)    and so on to T[3, 0]
///
/// Its rows are vectors that can be loaded whole, and turned in registers.
bool is_row_square(const std::vector<const ir::VectorStore*>& stores, std::size_t first,
                   const CExprPrinter& exprs);

}  // namespace solway::codegen
