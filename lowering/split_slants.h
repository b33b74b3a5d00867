#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Tells tiles that a slanted side of a domain does not cut from those that it does, where the
/// bounds of an unrolled or vectorized loop depend on several loops around: in whole tiles these
/// loops have constant extents, so that registers hold sums.
///
///   before: for k in [0, 8) {
///             for ii in [0, 4) unrolled {
///               for ji in [0, min(16, (((io * 4) - (jo * 16)) + (ii + 1)))) vectorized { .. } } }
///   after:  if (15 <= ((io * 4) + (jo * -16))) {
///             for k in [0, 8) { for ii in [0, 4) unrolled { for ji in [0, 16) vectorized { .. } }
///             }
///           } else { (as before, with the loops of a sum inside: sums_inside.h) }
///
/// The condition stands around the outermost loop of which the bounds depend on no variable but
/// those of unrolled and vectorized loops. Nests with transfers or buffers of their own are left to
/// the loops inside.
///
/// Needs: the stage before vectors, simplified bounds. Keeps: everything else, by identity; names
/// are unique around their uses but occur in two copies.
ir::Stmt split_slants(const ir::Stmt& s);

}  // namespace solway::lowering
