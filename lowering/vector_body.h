#pragma once

#include <string>

#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"
#include "support/remark.h"

namespace solway::lowering {

/// One vector's worth of a loop: lane l runs iteration base + l of `var`.
struct VectorChunk {
  std::string var;
  ir::Expr base;
  int lanes = 1;
  ir::Expr active;  ///< int64 > 0: only this many leading lanes run; undefined: all
  const VectorForms* forms = nullptr;  ///< null: all forms
};

/// The body of a Vectorized loop for one chunk. Statements without a vector form run lane by lane,
/// with a remark "vectorize(var)".
///
///   before: C[i] = A[i]                 with i = 8, 9, ..., 15
///   after:  vstore(C[8], 8) = vload(A[8], 8)
ir::Stmt vectorize_body(const ir::Stmt& body, const VectorChunk& chunk, Remarks& remarks);

}  // namespace solway::lowering
