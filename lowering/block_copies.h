#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Copies to places far apart, next to which the outer loop writes later, by 16 of its iterations
/// at a time: by then the line would have left the cache, whose places rows far apart share.
///
///   before: for k in [0, 2048) { for i in [0, 153) { XX[i, k, 0 : 5] = X[k, i * 5 : i * 5 + 5] } }
///   after:  for k_block in [0, 128) { for i in [0, 153) { for k in [0, 16) {
///             XX[i, k_block * 16 + k, 0 : 5] = X[k_block * 16 + k, i * 5 : i * 5 + 5] } } }
///
/// Needs: constant bounds; what 16 do not divide is a loop of its own. Keeps: everything else, by
/// identity.
ir::Stmt block_copies(const ir::Stmt& s);

}  // namespace solway::lowering
