#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Tiles of a loop whose extent is known when the kernel runs: whole ones have constant extents,
/// and the last one what is left.
///
///   before: for o in [0, (n + 3) // 4) { for i in [0, min(n - o * 4, 4)) vectorized { S } }
///   after:  for o in [0, min(n // 4, (n + 3) // 4)) { for i in [0, 4) vectorized { S } }
///           for o in [max(n // 4, 0), (n + 3) // 4) {
///             for i in [0, min(n - o * 4, 4)) vectorized { S }
///           }
///
/// Of serial and parallel loops, where a minimum decides the end of a vectorized or unrolled loop
/// inside by the loop's variable and by what does not change while it runs. A parallel loop stays
/// one, with a condition inside.
///
/// Keeps: everything else, by identity; names may occur in several copies.
ir::Stmt peel_last_tile(const ir::Stmt& s);

}  // namespace solway::lowering
