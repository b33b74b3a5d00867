#pragma once

#include <set>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// The names of all buffers that a statement allocates or accesses: those that a new buffer in it
/// must not have.
///
///   allocate T: float32[4] in panel { T[0] = A[0] }     A, T
std::set<std::string> buffer_names(const Stmt& s);

}  // namespace solway::ir
