#pragma once

#include <string>
#include <vector>

#include "dsl/expr.h"

namespace solway::dsl::detail {

/// Throws DslError unless `axes` names reduction axes, each once. `reduction` is its name.
void require_reduce_axes(const std::string& reduction, const std::vector<Axis>& axes,
                         const SourceLoc& where);

}  // namespace solway::dsl::detail
