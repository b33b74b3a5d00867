#pragma once

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Whether all cores, or threads, run `s`: it holds a parallel loop or a barrier. The first one
/// runs anything else that stands outside of parallel loops. False for an undefined statement.
bool is_for_all_cores(const Stmt& s);

}  // namespace solway::ir
