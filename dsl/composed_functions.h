#pragma once

#include <string>

#include "dsl/expr.h"

/// NumPy's functions that are made of other operations, whose types differ from theirs.
namespace solway::dsl {

enum class ComposedFunction : std::uint8_t {
  Fabs,       ///< the absolute value, in floats: int32 gives float64, int8 and bool float16
  Rint,       ///< the nearest whole number, halves to even, in floats as Fabs
  Square,     ///< in the operand's type; of conditions in int8
  Reciprocal  ///< in the operand's type, of integers truncated; of conditions in int8
};

/// The function that NumPy calls so. Throws InternalError for another name.
ComposedFunction composed_function(const std::string& name);

Expr make_composed(ComposedFunction function, Expr operand, const SourceLoc& where);

}  // namespace solway::dsl
