#pragma once

#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"
#include "support/remark.h"

namespace solway::lowering {

/// Replaces loops of kind Vectorized by vector forms. The widest element type in the body sets the
/// lanes; up to 4 vectors are written out, more are a loop of vectors (an Unrolled one where the
/// body uses a buffer of scope "register"), and the remainder is one vector with an active length,
/// or a loop over its iterations where `forms` says so.
///
///   before: for i in [0, 10) vectorized { C[i] = (A[i] * 2.0f32) }
///   after:  vstore(C[0], 8) = (vload(A[0], 8) * broadcast(2.0f32, 8))
///           vstore(C[8], 8, active 2) = (vload(A[8], 8, active 2) * broadcast(2.0f32, 8))
///
/// Where `forms` has several vectors in a round, so has a loop of vectors, and of what is written
/// out each statement runs on all vectors before the next one does.
///
/// A store whose place does not depend on the loop is a reduction: alone in the loop, vectors
/// accumulate and are combined at its end (see try_accumulate), also of several values
/// (try_combine_in_lanes); beside other statements, each vector is combined with ReduceLanes. A
/// statement that has no vector form runs lane by lane in a serial loop, with a remark; so does the
/// whole loop when its body allocates or transfers.
///
/// Needs: iterations of a Vectorized loop that do not depend on each other, but for declared
/// reductions, and for stores that overwrite what earlier lanes of the same store read: each
/// statement runs vector by vector in the order of the loop, and a vector is loaded whole before
/// it is stored; lanes that run one by one keep their order. Names defined once around their uses.
/// Keeps: everything else, by identity.
ir::Stmt vectorize_loops(const ir::Stmt& s, const VectorForms& forms, Remarks& remarks);

}  // namespace solway::lowering
