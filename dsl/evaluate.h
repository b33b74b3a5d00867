#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "dsl/size.h"

namespace solway::dsl {

/// The value of an integer or Bool expression of sizes, given by name; conditions are 1 or 0.
/// Division rounds down, and a remainder has the sign of the divisor. Needs: no axes, reads or
/// floats; divisors other than 0; a value for each size.
std::int64_t evaluate(const Expr& expr, const std::map<std::string, std::int64_t>& sizes);

}  // namespace solway::dsl
