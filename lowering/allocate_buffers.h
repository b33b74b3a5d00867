#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Allocates a buffer for the life of its values: in the innermost parallel loop around all its
/// uses, so that every core has its own, else around the whole body.
///
///   before: for i in [0, 64) parallel { for j in [0, 8) { AA[j] = A[i, j] } }
///   after:  for i in [0, 64) parallel {
///             allocate AA: float32[8] in ldm { for j in [0, 8) { AA[j] = A[i, j] } } }
///
/// `where` is the line that asked for the buffer. Keeps: everything else, by identity.
ir::Stmt allocate_in_parallel(const ir::Stmt& s, const ir::Buffer& buffer,
                              const SourceLoc& where = {});

/// Allocates a buffer in each outermost vectorized loop that uses it, once per iteration.
///
///   before: for i in [0, 64) vectorized { for k in [0, 8) { AA[0] = (AA[0] + A[i, k]) } }
///   after:  for i in [0, 64) vectorized {
///             allocate AA: float32[1] in register { for k in [0, 8) { ... } } }
///
/// What uses it in no such loop is a single iteration, which has no loop.
///
/// Needs: no use of a value of another iteration.
ir::Stmt allocate_in_vectorized(const ir::Stmt& s, const ir::Buffer& buffer,
                                const SourceLoc& where = {});

}  // namespace solway::lowering
