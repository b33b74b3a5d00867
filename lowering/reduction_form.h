#pragma once

#include <optional>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// A store that combines a term into the element that it stores: C[k] = C[k] op x, or x op C[k]. Of
/// integers that are only stored (uint8) both are converted, and the result is converted back:
/// C[k] = uint8(int32(C[k]) op x).
struct Reduction {
  ReduceOp op = ReduceOp::Sum;
  ir::Expr place;  ///< the load of the element, in the type that it is combined in
  ir::Expr term;   ///< does not read the element's buffer
};

/// nullopt when the store has another form.
std::optional<Reduction> try_reduction(const ir::Store& s);

/// The same in another element type.
ir::Expr converted(const ir::Expr& e, DType type);

/// The value that leaves every x of that type as it is: 0 for a sum, infinity for a minimum.
ir::Expr identity_of(ReduceOp op, DType type);

}  // namespace solway::lowering
