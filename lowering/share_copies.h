#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Lets all threads fill a buffer of scope "shared", each a part: of a copy's loops the outermost
/// that has 16 iterations is parallel, else the one that has the most.
///
///   before: for i in [0, 1024) { BB[i, 0] = B[i, 0] }          one thread, before the barrier
///   after:  for i in [0, 1024) parallel { BB[i, 0] = B[i, 0] }
///
/// Needs: barriers as place_barriers puts them for cores of which nobody knows the number, which
/// does not say which thread copies what. Keeps: what stands where no parallel loop or barrier is
/// beside it, which one thread runs.
ir::Stmt share_copies(const ir::Stmt& s);

}  // namespace solway::lowering
