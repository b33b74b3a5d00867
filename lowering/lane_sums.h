#pragma once

#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"

namespace solway::lowering {

/// Lets the lanes of a sum, or an extreme, accumulate apart while the loops around its vectorized
/// loop run, which combined them in each of their iterations.
///
///   before: for r in [0, 8) { for q in [0, 6) vectorized { C[i] = (C[i] + A[i, r, q]) } }
///   after:  allocate lanes_0_q: float32[8] in register {
///             for q_first in [0, 8) vectorized { lanes_0_q[q_first] = 0.0f32 }
///             for r in [0, 8) {
///               for q in [0, 6) vectorized { lanes_0_q[q] = (lanes_0_q[q] + A[i, r, q]) } }
///             for q_last in [0, 8) vectorized { C[i] = (C[i] + lanes_0_q[q_last]) } }
///
/// Needs: a declared reduction, whose order is free; constant bounds. Of up to 4 vectors. Keeps:
/// everything else, by identity.
ir::Stmt keep_lane_sums(const ir::Stmt& s, const VectorForms& forms);

}  // namespace solway::lowering
