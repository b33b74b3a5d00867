#pragma once

#include "schedule/program.h"

namespace solway::schedule {

/// Collects the sizes of the program's tensors in `program.sizes`. Throws DslError when two of them
/// share a name.
void collect_sizes(Program& program, const SourceLoc& where);

/// Makes `order` the one that defines the program's meaning; a primitive that makes statements or
/// arrays does it anew. Bounds the sizes in the domains and the accesses of all statements and in
/// the extents of all arrays, where they are parameters:
///
///   before:  { B[i] : 0 <= i < n }
///   after:   [n] -> { B[i] : 0 <= i < n and 1 <= n <= 4096 }
void take_as_reference(Program& program, const Order& order);

}  // namespace solway::schedule
