#pragma once

#include "lowering/ir/stmt.h"
#include "support/remark.h"

namespace solway::lowering {

/// A longer unrolled loop stays a loop, with a remark.
inline constexpr int kMaxUnrolledCopies = 1024;

/// Replaces loops of kind Unrolled by one copy of the body per iteration. One whose extent is not
/// constant becomes a serial loop, with a remark, unless it has few iterations at most, as its own
/// bounds or the loops around say, that name places in registers: then each copy has a condition,
/// and such loops that store there stand outside of others.
///
///   before: for i in [0, 2) unrolled { C[(i + 4)] = 0.0f32 }
///   after:  C[4] = 0.0f32 C[5] = 0.0f32
///   before: for i in [0, 2) unrolled { for y in [max(n, 0), 2) unrolled { R[i, y] = 0.0f32 } }
///   after:  if (max(n, 0) <= 0) { R[0, 0] = 0.0f32 R[1, 0] = 0.0f32 }
///           if (max(n, 0) <= 1) { R[0, 1] = 0.0f32 R[1, 1] = 0.0f32 }
///
/// Needs: names defined once around their uses. Keeps: everything else, by identity; names are then
/// unique around their uses but may occur in several copies.
ir::Stmt unroll_loops(const ir::Stmt& s, Remarks& remarks);

}  // namespace solway::lowering
