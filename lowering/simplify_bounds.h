#pragma once

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Decides minima, maxima, comparisons, divisions and remainders that the ranges of the loops
/// around them determine, and removes the guards and loops that this makes trivial.
///
///   before: for io in [0, 4) { for ii in [0, min(8, (32 - (io * 8)))) {
///             if (((io * 8) + ii) < 32) { C[(((io * 8) + ii) % 8)] = 0.0f32 } } }
///   after:  for io in [0, 4) { for ii in [0, 8) { C[ii] = 0.0f32 } }
///
/// Divisors that count several tiles count them alone: ((io * 14) + ii) // 28 with ii in [0, 14) is
/// io // 2, and its remainder ((io % 2) * 14) + ii.
///
/// Needs: names defined once around their uses. Keeps: everything else, by identity, but for the
/// folding of ir::simplify.
ir::Stmt simplify_bounds(const ir::Stmt& s);
/// The same of an expression whose variables have these ranges.
ir::Expr simplify_within(const ir::Expr& e, const ir::Ranges& ranges);

}  // namespace solway::lowering
