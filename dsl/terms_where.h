#pragma once

#include "dsl/expr.h"

namespace solway::dsl {

/// The terms of a declared reduction for which a condition holds, elsewhere what changes no result
/// of `op`: nothing of `x` is read there. Conditions that are added up are int64.
///
///   sum of A[k] where k < n     select(k < n, A[k], 0.0)
Expr make_terms_where(ReduceOp op, Expr x, Expr condition, const SourceLoc& where);

}  // namespace solway::dsl
