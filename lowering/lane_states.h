#pragma once

#include <optional>
#include <string>

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"

namespace solway::lowering {

/// A Vectorized loop whose iterations all combine values by a function of the user's, or as argmax
/// does, into one element each.
struct CombinedLoop {
  std::string var;
  ir::Expr begin;
  std::int64_t extent = 0;
  int lanes = 1;  ///< of one vector of all that is read and stored, a power of two
  ir::Stmt body;
  ir::ForKind kind = ir::ForKind::Serial;  ///< of the loop over vectors
  std::string name;                        ///< of the vectors that accumulate
  const VectorForms* forms = nullptr;      ///< null: all forms
  ir::Ranges ranges;                       ///< of `var` and the variables around it
};

struct CombinedLanes {
  ir::Stmt code;
  std::int64_t done = 0;  ///< iterations, from the first on; those that fill no vector are left
};

/// Lets the lanes of up to 4 vectors, or 8 in long loops, combine terms apart, and combines these
/// behind the loop: first vectors, then halves of one, then the last lane with the elements. The
/// first terms are where lanes begin, so that no identity is needed.
///
///   before: let t = A[i] { let u = i { let v = f(B[0], C[0], t, u) { let w = g(B[0], C[0], t, u) {
///             B[0] = v; C[0] = w } } } }        for i in [0, 8 * 100) with 8 lanes
///   after:  allocate b: float32[32], c: int64[32] in register {
///             vstore(b[0], 8) = vload(A[0], 8); vstore(c[0], 8) = ramp(0, 1, 8)   and 3 more
///             for i_vec in [1, 25) { let t = vload(A[(i_vec * 32)], 8) { ... let v = f(b, c, t, u)
///               { let w = g(b, c, t, u) { vstore(b[0], 8) = v; vstore(c[0], 8) = w } } } and 3
///               more
///             } ... let t = b[0] { let u = c[0] { ... B[0] = v; C[0] = w } } }
///
/// Positions among int64 that fit are int32 in lanes, where these are more, and larger with each
/// term, so that no comparison with those before is left (lowering/chosen_positions.h).
///
/// nullopt when the body is no such combination, some of it has no vector form, or there are fewer
/// than two vectors. Needs: a combination whose order is free.
std::optional<CombinedLanes> try_combine_in_lanes(CombinedLoop loop);

}  // namespace solway::lowering
