#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Replaces each transfer by the loops that copy it, where it is issued, for targets whose near
/// memory is ordinary memory; waits vanish. Between an issue and its wait nothing may change what
/// is read or use what is written, so that the copy may be done at the issue. The dimension that is
/// contiguous on both sides comes innermost and is Vectorized; the loops around a buffer of scope
/// "register" are Unrolled, so that its indices become constants.
///
///   before: issue BB get B[(ko * 64), 0] -> BB[0, 0] (64, 1024, 128) (128, 1, 1)
///           wait BB
///   after:  for BB_0 in [0, 64) {
///             for BB_1 in [0, 128) vectorized {
///               BB[BB_0, BB_1] = B[((ko * 64) + BB_0), BB_1]
///             }
///           }
///
/// Needs: names defined once around their uses. Keeps: everything else, by identity.
ir::Stmt inline_copies(const ir::Stmt& s);

}  // namespace solway::lowering
