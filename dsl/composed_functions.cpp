#include "dsl/composed_functions.h"

#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "dsl/type_rules.h"
#include "support/error.h"

namespace solway::dsl {
namespace {

Expr in_floats(const Expr& x, const SourceLoc& where) {
  return convert(x, float_type_of(x->type), where);
}

/// Itself; of a condition the int8 in which NumPy computes with it.
Expr in_numbers(const Expr& x, const SourceLoc& where) {
  return convert(x, x->type == DType::Bool ? DType::Int8 : x->type, where);
}

/// 1 / 0 as NumPy has it: infinity as an integer of that type.
std::int64_t reciprocal_of_zero(DType type) {
  if (type == DType::Int64) return std::numeric_limits<std::int64_t>::min();
  return type == DType::Int32 ? std::numeric_limits<std::int32_t>::min() : 0;
}

/// 1 of 1, -1 of -1, 0 of what is larger.
Expr integer_reciprocal(const Expr& x, const SourceLoc& where) {
  const auto number = [&](std::int64_t value) { return make_int(value, x->type, false, where); };
  const auto if_equal = [&](std::int64_t value, std::int64_t result, const Expr& otherwise) {
    return make_select(make_binary(BinaryOp::Eq, x, number(value), where), number(result),
                       otherwise, where);
  };
  Expr out = if_equal(1, 1, number(0));
  if (x->type != DType::UInt8) out = if_equal(-1, -1, out);
  return if_equal(0, reciprocal_of_zero(x->type), out);
}

}  // namespace

ComposedFunction composed_function(const std::string& name) {
  static const std::map<std::string, ComposedFunction> kNames = {
      {"fabs", ComposedFunction::Fabs},
      {"rint", ComposedFunction::Rint},
      {"square", ComposedFunction::Square},
      {"reciprocal", ComposedFunction::Reciprocal},
  };
  const auto found = kNames.find(name);
  if (found == kNames.end()) throw InternalError({{}, "no function '" + name + "'", "", ""});
  return found->second;
}

Expr make_composed(ComposedFunction function, Expr operand, const SourceLoc& where) {
  switch (function) {
    case ComposedFunction::Fabs:
      return make_unary(UnaryOp::Abs, in_floats(operand, where), where);
    case ComposedFunction::Rint:
      return make_unary(UnaryOp::Round, in_floats(operand, where), where);
    case ComposedFunction::Square: {
      const Expr x = in_numbers(operand, where);
      return make_binary(BinaryOp::Mul, x, x, where);
    }
    case ComposedFunction::Reciprocal: {
      const Expr x = in_numbers(operand, where);
      if (!is_float(x->type)) return integer_reciprocal(x, where);
      return make_binary(BinaryOp::Div, make_int(1, DType::Int64, true, where), x, where);
    }
  }
  return operand;
}

}  // namespace solway::dsl
