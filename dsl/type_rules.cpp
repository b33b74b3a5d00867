#include "dsl/type_rules.h"

#include <algorithm>
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

bool is_shift(BinaryOp op) { return op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight; }

/// NumPy computes these of two conditions in int8; the order of conditions is that of 0 and 1.
bool needs_a_number(BinaryOp op) {
  if (is_comparison(op)) return op != BinaryOp::Eq && op != BinaryOp::Ne;
  return op == BinaryOp::FloorDiv || op == BinaryOp::Mod || op == BinaryOp::Pow ||
         op == BinaryOp::Fmod || is_shift(op);
}

void require_no_negative_power(const Expr& exponent, DType type, const SourceLoc& where) {
  if (!is_integer(type) || exponent->kind != ExprKind::Int || exponent->int_value >= 0) return;
  throw DslError({where, "integers cannot be raised to a negative power",
                  "the exponent is " + std::to_string(exponent->int_value) + " and the base is " +
                      quoted(type),
                  "convert the base: sw.cast(x, 'float64')"});
}

/// The smallest type that holds both.
DType promote_integers(DType a, DType b) {
  if (size_bytes(a) == size_bytes(b)) return DType::Int16;  // int8 and uint8
  return size_bytes(a) > size_bytes(b) ? a : b;
}

bool is_bit_operator(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}

/// NumPy computes these in floats only.
bool needs_a_float(BinaryOp op) {
  return op == BinaryOp::Atan2 || op == BinaryOp::Hypot || op == BinaryOp::Copysign;
}

/// The type of a float function of both: that of the wider float of each alone.
DType common_float_type(const Expr& a, const Expr& b) {
  if (a->weak != b->weak) return float_type_of(common_type(a, b));
  return promote(float_type_of(a->type), float_type_of(b->type));
}

DType operand_type(BinaryOp op, const Expr& a, const Expr& b) {
  if (is_comparison(op)) return comparison_type(a, b);
  return needs_a_float(op) ? common_float_type(a, b) : common_type(a, b);
}

}  // namespace

DType float_type_of(DType type) {
  if (is_float(type)) return type;
  if (size_bytes(type) == 1) return DType::Float16;
  return type == DType::Int16 ? DType::Float32 : DType::Float64;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (a == DType::Bool) return b;
  if (b == DType::Bool) return a;
  if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
  if (is_float(a) && is_float(b)) {
    return a == DType::Float64 || b == DType::Float64 ? DType::Float64 : DType::Float32;
  }
  const DType integer = is_integer(a) ? a : b;
  const DType real = is_float(a) ? a : b;
  if (real == DType::Float64 || size_bytes(integer) > 2) return DType::Float64;
  return real == DType::Float16 && size_bytes(integer) == 1 ? real : DType::Float32;
}

DType common_type(const Expr& a, const Expr& b) {
  if (a->weak == b->weak) return promote(a->type, b->type);
  const Expr& literal = a->weak ? a : b;
  const DType other = a->weak ? b->type : a->type;
  if (literal->kind == ExprKind::Float) return is_float(other) ? other : DType::Float64;
  return other == DType::Bool ? DType::Int64 : other;
}

bool fits(std::int64_t value, DType type) {
  return is_float(type) || (value >= lowest(type) && value <= largest(type));
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
  DType type = operand_type(op, a, b);
  if (is_float(type) && (is_bit_operator(op) || is_shift(op))) {
    throw DslError({where, in_quotes(op) + " does not take floats",
                    "the operands are " + quoted(a->type) + " and " + quoted(b->type),
                    "bit operators take integers and conditions"});
  }
  if (op == BinaryOp::Div && !is_float(type)) type = DType::Float64;
  if (type == DType::Bool && op == BinaryOp::Sub) {
    throw DslError({where, in_quotes(op) + " does not take two conditions",
                    "both operands are 'bool'", "write a != b, or sw.cast one of them"});
  }
  if (type == DType::Bool && needs_a_number(op)) type = DType::Int8;
  if (op == BinaryOp::Pow) require_no_negative_power(b, type, where);
  return {convert(a, type, where), convert(b, type, where)};
}

DType accumulation_type(ReduceOp op, DType operand) {
  const bool counts = op == ReduceOp::Sum || op == ReduceOp::Prod;
  if (operand == DType::Bool) return counts ? DType::Int64 : operand;
  return is_float(operand) ? arithmetic_type(operand) : operand;
}

}  // namespace solway::dsl
