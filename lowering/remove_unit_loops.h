#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Replaces a loop that runs exactly once by its body, with the loop variable replaced by its only
/// value. Tiling with a factor equal to the extent makes these.
///
///   before: for io in [0, 1) { for ii in [0, 8) { C[(io + ii)] = 0.0f32 } }
///   after:  for ii in [0, 8) { C[(0 + ii)] = 0.0f32 }
///
/// Needs: names defined once around their uses. Keeps: parallel loops, which say what cores share;
/// everything else, by identity.
ir::Stmt remove_unit_loops(const ir::Stmt& s);

}  // namespace solway::lowering
