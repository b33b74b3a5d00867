#pragma once

#include "lowering/ir/expr.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Folds every expression bottom-up.
Expr simplify(const Expr& e);

/// Folds every expression, removes loops whose constant range is empty, ifs whose condition is
/// constant and empty bodies. Keeps identity where nothing changes.
///
///   before: for i in [0, (4 - 4)) { A[i] = 0.0f32 } if (1 < 2) { A[(0 + 1)] = 1.0f32 }
///   after:  A[1] = 1.0f32
Stmt simplify(const Stmt& s);

}  // namespace solway::ir
