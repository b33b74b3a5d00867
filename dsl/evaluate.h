#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "dsl/expr.h"

namespace solway::dsl {

/// The value of an integer or Bool expression of sizes, given by name, and of axes; conditions are
/// 1 or 0. Division rounds down, and a remainder has the sign of the divisor. Needs: no reads or
/// floats; divisors other than 0; a value for each size and axis.
std::int64_t evaluate(const Expr& expr, const std::map<std::string, std::int64_t>& sizes,
                      const std::map<Axis, std::int64_t>& axes = {});

}  // namespace solway::dsl
