#pragma once

#include <string>
#include <vector>

#include "dsl/tensor.h"

namespace solway::dsl {

/// The contents of `base` after a box of steps in lexicographic order, each storing `value` at
/// `index`, one expression per dimension of `base`. What `value` reads of `base` are the contents
/// at its step. The result shares the memory of `base`, which nothing that is defined later may
/// read. `domain` restricts the steps. Throws DslError for an index outside `base`, with one step,
/// and when `base` has an update already; UnsupportedError for an index that is not affine.
Tensor make_update(const Tensor& base, std::vector<Axis> axis, std::vector<Expr> index,
                   const Expr& value, Expr domain, std::string name, SourceLoc where);

}  // namespace solway::dsl
