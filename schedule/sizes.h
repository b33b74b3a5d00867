#pragma once

#include "schedule/program.h"

namespace solway::schedule {

/// Collects the sizes of the program's tensors in `program.sizes`. Throws DslError when two of them
/// share a name.
void collect_sizes(Program& program, const SourceLoc& where);

/// Bounds the sizes in the domains and the accesses of all statements and in the extents of all
/// arrays, where they are parameters; a primitive that makes statements or arrays does it anew:
///
///   before:  { B[i] : 0 <= i < n }
///   after:   [n] -> { B[i] : 0 <= i < n and 1 <= n <= 4096 }
void bound_sizes(Program& program);

}  // namespace solway::schedule
