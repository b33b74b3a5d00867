#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Moves the loops of a sum into the loops of its results, so that registers hold each sum while
/// its terms are added, whatever the extents of the loops around are. Loops over results that were
/// unrolled stay loops, which is shorter.
///
///   before: for k in [0, 8) {
///             for ii in [0, 4) unrolled {
///               for ji in [0, min(16, (io + ii))) vectorized { C[ii, ji] = (C[ii, ji] + A[k, ji])
///               } } }
///   after:  for ii in [0, 4) {
///             for ji in [0, min(16, (io + ii))) vectorized {
///               for k in [0, 8) { C[ii, ji] = (C[ii, ji] + A[k, ji]) } } }
///
/// Of a nest of loops around one store that reads the array at the place that it writes, and
/// nowhere else; a loop that moves this place has bounds that the loops of the sum do not change.
/// Other nests are returned as they are. Each element has its terms in the order that they had.
///
/// Needs: the stage before vectors; iterations of loops that move the place do not depend on each
/// other, but for these sums.
ir::Stmt sums_inside(const ir::Stmt& nest);

}  // namespace solway::lowering
