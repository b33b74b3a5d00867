#pragma once

#include <cstdint>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Lets near buffers of 16-bit floats hold float32, where all that is read from them is widened to
/// that: each number is converted once, when it is copied, not each time that it is used. Exact, as
/// every such number is one of float32.
///
///   before: allocate P: float16[8] in panel {
///             for i in [0, 8) { P[i] = A[i] }
///             C[0] = float32(P[3]) }
///   after:  allocate P: float32[8] in panel {
///             for i in [0, 8) { P[i] = float32(A[i]) }
///             C[0] = P[3] }
///
/// Needs: no vector forms yet but for dots, whose operands stay. Keeps, by identity: buffers that
/// would take more than `most_bytes`, and everything else.
ir::Stmt widen_panels(const ir::Stmt& s, std::int64_t most_bytes);

}  // namespace solway::lowering
