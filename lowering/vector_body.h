#pragma once

#include <string>

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"
#include "support/remark.h"

namespace solway::lowering {

/// One vector's worth of a loop: lane l runs iteration base + l of `var`.
struct VectorChunk {
  std::string var;
  ir::Expr base;
  ir::Lanes lanes;
  ir::Expr active;  ///< int64 > 0: only this many leading lanes run; undefined: all
  const VectorForms* forms = nullptr;  ///< null: all forms
  ir::Ranges ranges = {};              ///< of `var` and the variables around it
  int first = 0;                       ///< lanes before it do not run
};

/// How many lanes there are, as an int64.
ir::Expr lane_count(const ir::Lanes& lanes);

/// The body of a Vectorized loop for one chunk. A buffer of scope "register" that it allocates has
/// a vector in place of each element: every iteration has its own. Statements without a vector form
/// run lane by lane, with a remark "vectorize(var)".
///
///   before: C[i] = A[i]                 with i = 8, 9, ..., 15
///   after:  vstore(C[8], 8) = vload(A[8], 8)
ir::Stmt vectorize_body(const ir::Stmt& body, const VectorChunk& chunk, Remarks& remarks);

}  // namespace solway::lowering
