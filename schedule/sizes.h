#pragma once

#include "schedule/program.h"

namespace solway::schedule {

/// Collects the sizes of the program's tensors in `program.sizes`, and bounds them in the domains
/// and the accesses of all statements and in the extents of all arrays, where they are parameters:
///
///   before:  { B[i] : 0 <= i < n }
///   after:   [n] -> { B[i] : 0 <= i < n and 1 <= n <= 4096 }
///
/// Throws DslError when two sizes share a name.
void bound_sizes(Program& program, const SourceLoc& where);

}  // namespace solway::schedule
