#pragma once

#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"
#include "support/remark.h"

namespace solway::lowering {

/// Makes one operation of four products of bytes that are added to an element of int32, where the
/// machine has an instruction for it. Bytes of a group lie side by side in both operands, and the
/// groups of neighbouring lanes of a Vectorized loop, or all lanes have the same group.
///
///   before: for j in [0, 16) vectorized { for k in [0, 4) {
///             C[j] = (C[j] + (int32(A[k]) * int32(B[j, k]))) } }       with A uint8, B int8
///   after:  for j in [0, 16) vectorized {
///             C[j] = dot(C[j], vload(A[0], 4), vload(B[j, 0], 4)) }
///
/// Where the machine multiplies bytes of other signs only, the sign bits of one operand are turned,
/// in a copy where that is small (see TurnedCopy), and what that makes too much (see DotExcess) is
/// taken off behind the nest. Both are made as far outside as their operand stays the same. All of
/// it is exact: int32 wraps.
///
/// Pairs of bfloat16 that are added to float32 are made one operation likewise where `forms` has
/// them: they are not exact, which a remark "dot" says, with a bound.
///
/// Nests that have such products and stay as they are, as the machine has no such instruction or
/// bytes lie otherwise, get a remark "dot". Needs: declared reductions, whose order is free;
/// constant extents, as peel_tails makes them; names defined once around their uses. Keeps:
/// everything else, by identity.
ir::Stmt form_dots(const ir::Stmt& s, const VectorForms& forms, Remarks& remarks);

}  // namespace solway::lowering
