#pragma once

#include "lowering/ir/stmt.h"
#include "support/remark.h"

namespace solway::lowering {

/// Says which buffers of scope "register" stay in memory, since registers have no addresses: those
/// with an index that a loop changes, and those that a transfer fills or drains.
///
///   for i in [0, 8) { R[i] = 0.0f32 }   remark: "R" stays in memory, its index i is no constant
///
/// Needs: the stage after unrolling. Keeps: everything, by identity.
ir::Stmt report_registers(const ir::Stmt& s, Remarks& remarks);

}  // namespace solway::lowering
