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
/// inside by the loop's variable and by what does not change while it runs. Loops between the two
/// may only move it where a third operand limits it too, as the rows of a block that tiles do not
/// divide. A parallel loop stays one, with a condition inside.
///
/// A last tile of vectors beside unrolled rows has code for half of the lanes too, and for half of
/// these, as long as they are not fewer than `least_lanes`; 0: no such code.
///
///   if (n - o * 4 <= 2) { for i in [0, min(n - o * 4, 2)) vectorized { S } } else { ... }
///
/// Keeps: everything else, by identity; names may occur in several copies.
ir::Stmt peel_last_tile(const ir::Stmt& s, std::int64_t least_lanes = 0);

}  // namespace solway::lowering
