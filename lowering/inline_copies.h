#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Replaces a transfer that is waited for at once by the loops that copy it, for targets whose near
/// memory is ordinary memory. The dimension that is contiguous on both sides comes innermost and is
/// Vectorized; the loops around a buffer of scope "register" are Unrolled, so that its indices
/// become constants.
///
///   before: issue BB get B[(ko * 64), 0] -> BB[0, 0] (64, 1024, 128) (128, 1, 1)
///           wait BB
///   after:  for BB_0 in [0, 64) {
///             for BB_1 in [0, 128) vectorized {
///               BB[BB_0, BB_1] = B[((ko * 64) + BB_0), BB_1]
///             }
///           }
///
/// Needs: names defined once around their uses; an issue followed directly by its wait in the same
/// block. Keeps: every other transfer; everything else, by identity.
ir::Stmt inline_copies(const ir::Stmt& s);

}  // namespace solway::lowering
