#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Cuts vectorized loops where the condition of what they store changes, as that of an image with a
/// border around it, so that vectors of it have no condition; where an index stays at a border, or
/// begins again; and loops whose iterations need what the one before has stored likewise.
///
///   before: for x in [0, 16) vectorized {
///             P[y, x] = select(((1 <= y) and ((1 <= x) and (x < 15))), A[y, x], 0.0f32)
///           }
///   after:  if (1 <= y) {
///             for x in [0, 1) { P[y, x] = 0.0f32 }
///             for x in [1, 15) vectorized { P[y, x] = A[y, x] }
///             for x in [15, 16) { P[y, x] = 0.0f32 }
///           } else {
///             for x in [0, 16) vectorized { P[y, x] = 0.0f32 }
///           }
///
/// Needs: constant bounds of the loop, and a conjunction of comparisons that the loop's variable
/// decides alone or not at all. Keeps: everything else, by identity.
ir::Stmt split_selects(const ir::Stmt& s);

}  // namespace solway::lowering
