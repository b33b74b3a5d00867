#include "lowering/ir/fold.h"

#include <utility>

namespace solway::ir {
namespace {

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::int64_t wrapping_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  std::uint64_t result = 1;
  std::uint64_t factor = bits(base);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= factor;
    factor *= factor;
  }
  return static_cast<std::int64_t>(result);
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return static_cast<std::int64_t>(0 - bits(a));
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

bool is_commutative(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Mul || op == BinaryOp::Min || op == BinaryOp::Max ||
         op == BinaryOp::Eq || op == BinaryOp::Ne || op == BinaryOp::BitAnd ||
         op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}

Expr constant_like(std::int64_t value, const Expr& e) {
  return IntImm::make(value, e.type().scalar);
}

/// Operations of a scalar integer and a constant second operand; undefined when nothing applies.
Expr fold_with_constant(BinaryOp op, const Expr& a, const Expr& b, std::int64_t value) {
  const DType type = a.type().scalar;
  const auto* inner = a.as_or_null<Binary>();
  const auto inner_value = inner != nullptr ? try_constant(inner->b) : std::nullopt;
  const auto merged = [&](BinaryOp with) {
    const std::int64_t sum = *try_evaluate(with, *inner_value, value, type);
    return fold(inner->op, inner->a, IntImm::make(sum, type));
  };
  switch (op) {
    case BinaryOp::Add:
      if (value == 0) return a;
      return inner_value && inner->op == BinaryOp::Add ? merged(BinaryOp::Add) : Expr();
    case BinaryOp::Sub:
      return fold(BinaryOp::Add, a,
                  IntImm::make(wrap(static_cast<std::int64_t>(0 - bits(value)), type), type));
    case BinaryOp::Mul:
      if (value == 1) return a;
      if (value == 0) return b;
      return inner_value && inner->op == BinaryOp::Mul ? merged(BinaryOp::Mul) : Expr();
    case BinaryOp::FloorDiv:
      return value == 1 ? a : Expr();
    case BinaryOp::Mod:
      return value == 1 ? constant_like(0, a) : Expr();
    case BinaryOp::Min:
    case BinaryOp::Max:
      return inner_value && inner->op == op ? merged(op) : Expr();
    case BinaryOp::Div:
    case BinaryOp::Pow:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Fmod:
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
    case BinaryOp::Copysign:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      return {};
  }
  return {};
}

/// Scalar integer operations of two equal operands; undefined when nothing applies.
Expr fold_equal(BinaryOp op, const Expr& a) {
  switch (op) {
    case BinaryOp::Min:
    case BinaryOp::Max:
      return a;
    case BinaryOp::Sub:
    case BinaryOp::Mod:
      return constant_like(0, a);
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
      return IntImm::make(1, DType::Bool);
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Ne:
      return IntImm::make(0, DType::Bool);
    case BinaryOp::Add:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::Pow:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Fmod:
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
    case BinaryOp::Copysign:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      return {};
  }
  return {};
}

/// And, Or with one constant side.
Expr fold_logic(BinaryOp op, const Expr& a, const Expr& b) {
  const bool neutral = op == BinaryOp::And;
  if (const auto value = try_constant(a)) return (*value != 0) == neutral ? b : a;
  if (const auto value = try_constant(b)) return (*value != 0) == neutral ? a : b;
  return {};
}

}  // namespace

std::optional<std::int64_t> try_constant(const Expr& e) {
  const auto* literal = e.as_or_null<IntImm>();
  return literal != nullptr ? std::optional(literal->value) : std::nullopt;
}

std::int64_t wrap(std::int64_t value, DType type) { return wrapped(value, type); }

std::optional<std::int64_t> try_evaluate(BinaryOp op, std::int64_t a, std::int64_t b, DType type) {
  if (is_float(type)) return std::nullopt;
  const auto cut = [&](std::uint64_t value) {
    return wrap(static_cast<std::int64_t>(value), type);
  };
  switch (op) {
    case BinaryOp::Add:
      return cut(bits(a) + bits(b));
    case BinaryOp::Sub:
      return cut(bits(a) - bits(b));
    case BinaryOp::Mul:
      return cut(bits(a) * bits(b));
    case BinaryOp::Div:
      return std::nullopt;
    case BinaryOp::FloorDiv:
      return wrap(floor_div(a, b), type);
    case BinaryOp::Mod:
      return floor_mod(a, b);
    case BinaryOp::Min:
      return a < b ? a : b;
    case BinaryOp::Max:
      return a > b ? a : b;
    case BinaryOp::Pow:
      return wrap(wrapping_power(a, b), type);
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    case BinaryOp::Ge:
      return a >= b;
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::And:
      return a != 0 && b != 0;
    case BinaryOp::Or:
      return a != 0 || b != 0;
    case BinaryOp::Fmod:
      return b == 0 || b == -1 ? 0 : a % b;
    case BinaryOp::BitAnd:
      return a & b;
    case BinaryOp::BitOr:
      return a | b;
    case BinaryOp::BitXor:
      return a ^ b;
    case BinaryOp::ShiftLeft:
      return b < 0 || b >= std::int64_t{8} * size_bytes(type) ? 0 : cut(bits(a) << b);
    case BinaryOp::ShiftRight:
      return b < 0 || b >= std::int64_t{8} * size_bytes(type) ? (a < 0 ? -1 : 0) : a >> b;
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
    case BinaryOp::Copysign:
      return std::nullopt;
  }
  return std::nullopt;
}

Expr fold(BinaryOp op, Expr a, Expr b) {
  if (a.type() != b.type() || a.type().is_vector()) return Binary::make(op, a, b);
  if (is_float(a.type().scalar)) {
    const auto* factor = b.as_or_null<FloatImm>();
    if (op == BinaryOp::Mul && factor != nullptr && factor->value == 1.0) return a;
    return Binary::make(op, std::move(a), std::move(b));
  }
  if (try_constant(a) && try_constant(b)) {
    const auto value = try_evaluate(op, *try_constant(a), *try_constant(b), a.type().scalar);
    if (value) return IntImm::make(*value, is_comparison(op) ? DType::Bool : a.type().scalar);
  }
  Expr out;
  if (op == BinaryOp::And || op == BinaryOp::Or) {
    out = fold_logic(op, a, b);
  } else {
    if (try_constant(a) && is_commutative(op)) std::swap(a, b);
    if (op == BinaryOp::Div || a.type().scalar == DType::Bool) return Binary::make(op, a, b);
    if (const auto value = try_constant(b)) out = fold_with_constant(op, a, b, *value);
    if (!out.defined() && equal(a, b)) out = fold_equal(op, a);
  }
  return out.defined() ? out : Binary::make(op, std::move(a), std::move(b));
}

Expr fold(UnaryOp op, Expr operand) {
  const DType type = operand.type().scalar;
  if (const auto value = try_constant(operand)) {
    const auto negated = wrap(static_cast<std::int64_t>(0 - bits(*value)), type);
    if (op == UnaryOp::Neg && is_integer(type)) return IntImm::make(negated, type);
    if (op == UnaryOp::Abs && is_integer(type)) {
      return IntImm::make(*value < 0 ? negated : *value, type);
    }
    if (op == UnaryOp::Not) return IntImm::make(*value == 0, type);
  }
  if (const auto* inner = operand.as_or_null<Unary>()) {
    const bool is_involution = op == UnaryOp::Neg || op == UnaryOp::Not;
    if (is_involution && inner->op == op) return inner->operand;
  }
  return Unary::make(op, std::move(operand));
}

Expr fold_select(Expr condition, Expr if_true, Expr if_false) {
  if (const auto value = try_constant(condition)) return *value != 0 ? if_true : if_false;
  if (!condition.type().is_vector() && equal(if_true, if_false)) return if_true;
  return Select::make(std::move(condition), std::move(if_true), std::move(if_false));
}

Expr fold_cast(Expr operand, DType type) {
  if (operand.type().scalar == type) return operand;
  if (const auto value = try_constant(operand)) {
    if (!is_float(type)) return IntImm::make(wrap(*value, type), type);
    const auto number = static_cast<double>(*value);
    const bool is_exact = *value >= -(1 << 24) && *value <= (1 << 24);
    if (is_exact && rounded(number, type) == number)
      return FloatImm::make(static_cast<double>(*value), type);
  }
  const auto* literal = operand.as_or_null<FloatImm>();
  if (literal != nullptr && is_float(type)) return FloatImm::make(literal->value, type);
  return Cast::make(std::move(operand), type);
}

Expr index(std::int64_t value) { return IntImm::make(value); }

Expr add(Expr a, Expr b) { return fold(BinaryOp::Add, std::move(a), std::move(b)); }

Expr sub(Expr a, Expr b) { return fold(BinaryOp::Sub, std::move(a), std::move(b)); }

Expr mul(Expr a, Expr b) { return fold(BinaryOp::Mul, std::move(a), std::move(b)); }

Expr min(Expr a, Expr b) { return fold(BinaryOp::Min, std::move(a), std::move(b)); }

Expr max(Expr a, Expr b) { return fold(BinaryOp::Max, std::move(a), std::move(b)); }

std::vector<Expr> operands_of(BinaryOp op, const Expr& e) {
  const auto* both = e.as_or_null<Binary>();
  if (both == nullptr || both->op != op) return {e};
  std::vector<Expr> out = operands_of(op, both->a);
  const std::vector<Expr> rest = operands_of(op, both->b);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

Expr flat_index(const BufferNode& buffer, const std::vector<Expr>& indices) {
  const std::vector<std::int64_t> strides = buffer.strides_elems();
  Expr position = index(0);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    position = add(position, mul(indices[d], index(strides[d])));
  }
  return position;
}

}  // namespace solway::ir
