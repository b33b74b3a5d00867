#pragma once

#include <optional>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// A store that combines a term into the element that it stores: C[k] = C[k] op x, or x op C[k].
struct Reduction {
  ReduceOp op = ReduceOp::Sum;
  ir::Expr place;  ///< the load of the element
  ir::Expr term;   ///< does not read the element's buffer
};

/// nullopt when the store has another form.
std::optional<Reduction> try_reduction(const ir::Store& s);

/// The value that leaves every x of that type as it is: 0 for a sum, infinity for a minimum.
ir::Expr identity_of(ReduceOp op, DType type);

}  // namespace solway::lowering
