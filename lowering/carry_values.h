#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Numbers that an iteration stores and the next one reads stay in registers from one to the other,
/// as in sums along a row: the next does not wait until memory has them.
///
///   before: for j in [1, 8) { S[j] = (A[j] + S[(j - 1)]) }
///   after:  allocate S_carried: float32[1] in register {
///             S_carried[0] = S[0]
///             for j in [1, 8) {
///               S_carried[0] = (A[j] + S_carried[0])
///               S[j] = S_carried[0]
///             }
///           }
///
/// Of serial loops of at least one iteration whose body is nothing but stores of numbers to one
/// array, each to places of its own, from which it reads in every iteration, on no condition.
///
/// Needs: the stage after unrolling, simplified indices. Keeps: everything else, by identity.
ir::Stmt carry_values(const ir::Stmt& s);

}  // namespace solway::lowering
