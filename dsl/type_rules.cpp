#include "dsl/type_rules.h"

#include <algorithm>
#include <limits>
#include <string>

#include "support/error.h"

namespace solway::dsl {

namespace {

bool is_literal(const Expr& e) { return e->kind == ExprKind::Int || e->kind == ExprKind::Float; }

std::string quoted(DType type) { return "'" + std::string(to_string(type)) + "'"; }

std::string in_quotes(BinaryOp op) { return "'" + std::string(to_string(op)) + "'"; }

/// A comparison with an integer literal that the other operand's type cannot hold is made in int64,
/// so that it has the mathematical answer.
DType comparison_type(const Expr& a, const Expr& b) {
  const DType common = common_type(a, b);
  const auto overflows = [&](const Expr& e) {
    return e->weak && e->kind == ExprKind::Int && !fits(e->int_value, common);
  };
  return overflows(a) || overflows(b) ? DType::Int64 : common;
}

/// NumPy computes these of two conditions in int8.
bool needs_a_number(BinaryOp op) {
  return op == BinaryOp::FloorDiv || op == BinaryOp::Mod || op == BinaryOp::Pow;
}

void require_no_negative_power(const Expr& exponent, DType type, const SourceLoc& where) {
  if (!is_integer(type) || exponent->kind != ExprKind::Int || exponent->int_value >= 0) return;
  throw DslError({where, "integers cannot be raised to a negative power",
                  "the exponent is " + std::to_string(exponent->int_value) + " and the base is " +
                      quoted(type),
                  "convert the base: sw.cast(x, 'float64')"});
}

}  // namespace

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (a == DType::Bool) return b;
  if (b == DType::Bool) return a;
  if (is_integer(a) && is_integer(b)) return size_bytes(a) > size_bytes(b) ? a : b;
  if (is_float(a) && is_float(b)) return DType::Float64;
  const DType integer = is_integer(a) ? a : b;
  const DType real = is_float(a) ? a : b;
  return real == DType::Float32 && integer == DType::Int8 ? DType::Float32 : DType::Float64;
}

DType common_type(const Expr& a, const Expr& b) {
  if (a->weak == b->weak) return promote(a->type, b->type);
  const Expr& literal = a->weak ? a : b;
  const DType other = a->weak ? b->type : a->type;
  if (literal->kind == ExprKind::Float) return is_float(other) ? other : DType::Float64;
  return other == DType::Bool ? DType::Int64 : other;
}

bool fits(std::int64_t value, DType type) {
  const auto within = [value](auto limits) {
    return value >= static_cast<std::int64_t>(decltype(limits)::min()) &&
           value <= static_cast<std::int64_t>(decltype(limits)::max());
  };
  switch (type) {
    case DType::Bool:
      return value == 0 || value == 1;
    case DType::Int8:
      return within(std::numeric_limits<std::int8_t>());
    case DType::Int32:
      return within(std::numeric_limits<std::int32_t>());
    case DType::Int64:
    case DType::Float32:
    case DType::Float64:
      return true;
  }
  return false;
}

Expr convert(const Expr& expr, DType type, const SourceLoc& where) {
  if (expr->type == type && !expr->weak) return expr;
  if (!is_literal(expr)) return make_cast(expr, type, where);
  if (expr->kind == ExprKind::Int) {
    if (is_float(type)) return make_float(static_cast<double>(expr->int_value), type, false, where);
    if (type == DType::Bool) return make_int(expr->int_value != 0 ? 1 : 0, type, false, where);
    return make_int(expr->int_value, type, false, where);
  }
  if (is_float(type)) return make_float(expr->float_value, type, false, where);
  return make_cast(make_float(expr->float_value, expr->type, false, where), type, where);
}

Expr to_condition(const Expr& expr, const SourceLoc& where) {
  if (expr->type == DType::Bool) return expr;
  return make_binary(BinaryOp::Ne, expr, make_int(0, DType::Int64, true, where), where);
}

std::pair<Expr, Expr> convert_operands(BinaryOp op, const Expr& a, const Expr& b,
                                       const SourceLoc& where) {
  DType type = is_comparison(op) ? comparison_type(a, b) : common_type(a, b);
  if (op == BinaryOp::Div && !is_float(type)) type = DType::Float64;
  if (type == DType::Bool && op == BinaryOp::Sub) {
    throw DslError({where, in_quotes(op) + " does not take two conditions",
                    "both operands are 'bool'", "write a != b, or sw.cast one of them"});
  }
  if (type == DType::Bool && needs_a_number(op)) type = DType::Int8;
  if (op == BinaryOp::Pow) require_no_negative_power(b, type, where);
  return {convert(a, type, where), convert(b, type, where)};
}

Expr convert_to_float(UnaryOp op, const Expr& operand, const SourceLoc& where) {
  const DType type = operand->type;
  if (is_float(type)) return convert(operand, type, where);
  if (type == DType::Int8 || type == DType::Bool) {
    throw UnsupportedError({where, std::string(to_string(op)) + " of " + quoted(type),
                            "NumPy computes it in 'float16', which solway does not have",
                            "convert the operand: sw.cast(x, 'float32')"});
  }
  return convert(operand, DType::Float64, where);
}

DType accumulation_type(ReduceOp op, DType operand) {
  const bool counts = op == ReduceOp::Sum || op == ReduceOp::Prod;
  return operand == DType::Bool && counts ? DType::Int64 : operand;
}

}  // namespace solway::dsl
