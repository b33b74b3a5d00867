#include "driver/frontend/expr.h"

namespace solway {
namespace {

/// An operator's line is that of its left operand, which was converted or read there.
Expr binary(BinaryOp op, const Expr& a, const Expr& b) {
  return Expr(dsl::make_binary(op, a.node(), b.node(), a.node()->where));
}

Expr unary(UnaryOp op, const Expr& a) {
  return Expr(dsl::make_unary(op, a.node(), a.node()->where));
}

}  // namespace

namespace detail {

dsl::Expr literal(bool value, const Line& line) {
  return dsl::make_int(value ? 1 : 0, DType::Bool, false, to_source_loc(line));
}

dsl::Expr literal(std::int64_t value, DType type, bool weak, const Line& line) {
  return dsl::make_int(value, type, weak, to_source_loc(line));
}

dsl::Expr literal(double value, DType type, bool weak, const Line& line) {
  return dsl::make_float(value, type, weak, to_source_loc(line));
}

}  // namespace detail

Expr::Expr(const Axis& axis, Line line)
    : node_(dsl::make_axis_ref(axis.node(), to_source_loc(line))) {}

Expr Expr::astype(DType type, Line line) const {
  return Expr(dsl::make_cast(node_, type, to_source_loc(line)));
}

Expr operator+(const Expr& a, const Expr& b) { return binary(BinaryOp::Add, a, b); }
Expr operator-(const Expr& a, const Expr& b) { return binary(BinaryOp::Sub, a, b); }
Expr operator*(const Expr& a, const Expr& b) { return binary(BinaryOp::Mul, a, b); }
Expr operator/(const Expr& a, const Expr& b) { return binary(BinaryOp::Div, a, b); }
Expr operator%(const Expr& a, const Expr& b) { return binary(BinaryOp::Mod, a, b); }
Expr operator-(const Expr& a) { return unary(UnaryOp::Neg, a); }
Expr operator<(const Expr& a, const Expr& b) { return binary(BinaryOp::Lt, a, b); }
Expr operator<=(const Expr& a, const Expr& b) { return binary(BinaryOp::Le, a, b); }
Expr operator>(const Expr& a, const Expr& b) { return binary(BinaryOp::Gt, a, b); }
Expr operator>=(const Expr& a, const Expr& b) { return binary(BinaryOp::Ge, a, b); }
Expr operator==(const Expr& a, const Expr& b) { return binary(BinaryOp::Eq, a, b); }
Expr operator!=(const Expr& a, const Expr& b) { return binary(BinaryOp::Ne, a, b); }
Expr operator&&(const Expr& a, const Expr& b) { return binary(BinaryOp::And, a, b); }
Expr operator||(const Expr& a, const Expr& b) { return binary(BinaryOp::Or, a, b); }
Expr operator!(const Expr& a) { return unary(UnaryOp::Not, a); }
Expr operator&(const Expr& a, const Expr& b) { return binary(BinaryOp::BitAnd, a, b); }
Expr operator|(const Expr& a, const Expr& b) { return binary(BinaryOp::BitOr, a, b); }
Expr operator^(const Expr& a, const Expr& b) { return binary(BinaryOp::BitXor, a, b); }
Expr operator~(const Expr& a) { return unary(UnaryOp::BitNot, a); }
Expr operator<<(const Expr& a, const Expr& b) { return binary(BinaryOp::ShiftLeft, a, b); }
Expr operator>>(const Expr& a, const Expr& b) { return binary(BinaryOp::ShiftRight, a, b); }

}  // namespace solway
