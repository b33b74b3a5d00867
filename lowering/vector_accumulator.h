#pragma once

#include <optional>
#include <string>

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"

namespace solway::lowering {

/// The full vectors of a Vectorized loop whose iterations all combine into one element, or several.
struct AccumulatedLoop {
  std::string var;
  ir::Expr begin;
  ir::Expr num_vectors;  ///< int64 >= 0
  ir::Lanes lanes;
  ir::Expr rest;  ///< iterations behind them that combine too, in a partial vector; undefined: none
  ir::Lanes rest_lanes;  ///< of that vector, not more than `lanes`
  ir::Stmt body;
  ir::ForKind kind = ir::ForKind::Serial;  ///< of the loop over vectors
  std::string accumulator;                 ///< a name for the vectors that accumulate
  int at_once = 1;                         ///< registers that `lanes` fill
  const VectorForms* forms = nullptr;      ///< null: all forms
  ir::Ranges ranges;                       ///< of `var` and the variables around it
};

/// Lets the lanes of 4 vectors, or as many as `forms` says, accumulate apart, and combines them
/// once behind the loop, in place of combining the lanes of each vector.
///
///   before: C[j] = (C[j] + A[i])        for i in [0, 8 * 100) with 8 lanes
///   after:  allocate acc: float32[32] in register {
///             vstore(acc[0], 8) = broadcast(0.0f32, 8)   and 3 more
///             for i_vec in [0, 25) {
///               vstore(acc[0], 8) = (vload(acc[0], 8) + vload(A[(i_vec * 32)], 8))   and 3 more
///             }
///             C[j] = (C[j] + reduce_sum(((vload(acc[0], 8) + vload(acc[8], 8)) + (... + ...)))) }
///
/// Where the number of vectors is not known, those behind the last turn go into the first of them.
/// Scalable lanes accumulate in one vector, which may be as wide as several registers. What else
/// the loop computes, as the terms of the sum, stays beside it:
///
///   before: E[i] = exp(A[i]); C[j] = (C[j] + E[i])
///   after:  ... for i_vec in [0, 25) {
///             vstore(E[(i_vec * 32)], 8) = exp(vload(A[(i_vec * 32)], 8))   and 3 more
///             vstore(acc[0], 8) = (vload(acc[0], 8) + vload(E[(i_vec * 32)], 8))   and 3 more }
///
/// Loops that are written out inside are several sums, as of a tile of a product whose operands lie
/// along the terms, which have fewer accumulators each:
///
///   before: for r in [0, 2) unrolled { C[r] = (C[r] + (A[i] * B[r, i])) }
///   after:  allocate acc, acc_2: float32[32] in register { ... }
///
/// nullopt when no statement is a reduction into an element that the loop does not move, others use
/// that element, one has no vector form, or there are fewer than two vectors, a partial one
/// counted. Needs: a declared
/// reduction, whose order is free.
std::optional<ir::Stmt> try_accumulate(const AccumulatedLoop& loop);

}  // namespace solway::lowering
