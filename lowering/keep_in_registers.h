#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Elements of near memory that all iterations of a loop read and write stay in registers while it
/// runs: a buffer of scope "register" takes their place (scalar replacement).
///
///   before: for k in [0, 32) {
///             vstore(CC[0, 0], 4) = (vload(CC[0, 0], 4) + (broadcast(AA[0, k], 4) * vload(BB[k,
///             0], 4)))
///           }
///   after:  allocate CC_kept: float32[4] in register {
///             vstore(CC_kept[0], 4) = vload(CC[0, 0], 4)
///             for k in [0, 32) {
///               vstore(CC_kept[0], 4) = (vload(CC_kept[0], 4) + (...))
///             }
///             vstore(CC[0, 0], 4) = vload(CC_kept[0], 4)
///           }
///
/// Of a nest of loops the outermost for which that holds. The nest consists of loops, all but the
/// outermost of a constant extent of at least 1, and stores. Every access to the buffer in it is to
/// a place that the nest does not move; two such places are the same or have no element in common,
/// and there are at most `max_kept` of them. A vector of which some lanes only are read and
/// written, as many everywhere, is kept whole. Main memory is kept only where the nest touches no
/// other array of it, which might be the same memory.
///
/// Needs: the stage after unrolling, simplified indices. Keeps: everything else, by identity.
ir::Stmt keep_in_registers(const ir::Stmt& s, int max_kept);

}  // namespace solway::lowering
