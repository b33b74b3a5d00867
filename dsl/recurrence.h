#pragma once

#include <string>
#include <vector>

#include "dsl/tensor.h"

namespace solway::dsl {

/// What the body of a recurrence reads its own earlier elements by.
Tensor make_self(const Extents& shape, DType type, std::string name, SourceLoc where);

/// A tensor whose elements are computed in lexicographic order, each from earlier ones, which
/// `body` reads by `self`. `domain`: as for make_compute. Throws DslError, with one index, for a
/// read of an element that does not come earlier or lies outside the domain.
Tensor make_recurrence(const Tensor& self, std::vector<Axis> axis, const Expr& body, Expr domain,
                       SourceLoc where);

}  // namespace solway::dsl
