#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Makes parameters of the arrays in main memory that a kernel allocates outside of all loops: who
/// calls it gives them memory, which holds nothing before and nothing after. They stand behind the
/// others, in the order of their allocation.
///
///   before: kernel net(A: in, C: out) { allocate B: float32[8] { ... } }
///   after:  kernel net(A: in, C: out, B: inout) { ... }
///
/// Keeps: near memory, registers, and what is allocated inside a loop.
void pass_temporaries(ir::Kernel& kernel);

}  // namespace solway::lowering
