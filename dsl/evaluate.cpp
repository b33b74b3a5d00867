#include "dsl/evaluate.h"

#include <algorithm>

#include "support/error.h"

namespace solway::dsl {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

[[noreturn]] void fail(const ExprNode& node) {
  throw InternalError({node.where, "an expression of sizes and axes cannot be evaluated", "", ""});
}

std::int64_t binary(const ExprNode& node, std::int64_t a, std::int64_t b) {
  switch (node.binary) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::FloorDiv:
      return floor_div(a, b);
    case BinaryOp::Mod:
      return a - floor_div(a, b) * b;
    case BinaryOp::Min:
      return std::min(a, b);
    case BinaryOp::Max:
      return std::max(a, b);
    case BinaryOp::And:
      return a != 0 && b != 0 ? 1 : 0;
    case BinaryOp::Or:
      return a != 0 || b != 0 ? 1 : 0;
    case BinaryOp::Eq:
      return a == b ? 1 : 0;
    case BinaryOp::Ne:
      return a != b ? 1 : 0;
    case BinaryOp::Lt:
      return a < b ? 1 : 0;
    case BinaryOp::Le:
      return a <= b ? 1 : 0;
    case BinaryOp::Gt:
      return a > b ? 1 : 0;
    case BinaryOp::Ge:
      return a >= b ? 1 : 0;
    case BinaryOp::Div:
    case BinaryOp::Pow:
    case BinaryOp::Fmod:
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
    case BinaryOp::Copysign:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      break;  // what is not affine in sizes stands in no extent and in no assumption
  }
  fail(node);
}

std::int64_t unary(const ExprNode& node, std::int64_t a) {
  if (node.unary == UnaryOp::Neg) return -a;
  if (node.unary == UnaryOp::Abs) return a < 0 ? -a : a;
  if (node.unary == UnaryOp::Not) return a == 0 ? 1 : 0;
  fail(node);
}

}  // namespace

std::int64_t evaluate(const Expr& expr, const std::map<std::string, std::int64_t>& sizes,
                      const std::map<Axis, std::int64_t>& axes) {
  const ExprNode& node = *expr;
  const auto operand = [&](std::size_t k) { return evaluate(node.operands[k], sizes, axes); };
  switch (node.kind) {
    case ExprKind::Int:
      return node.int_value;
    case ExprKind::SizeRef:
      return sizes.at(node.size->name);
    case ExprKind::AxisRef:
      return axes.at(node.axis);
    case ExprKind::Unary:
      return unary(node, operand(0));
    case ExprKind::Binary:
      return binary(node, operand(0), operand(1));
    case ExprKind::Select:
      return operand(0) != 0 ? operand(1) : operand(2);
    case ExprKind::Cast:
      return operand(0);
    case ExprKind::Float:
    case ExprKind::Read:
    case ExprKind::Reduce:
    case ExprKind::Item:
    case ExprKind::Param:
    case ExprKind::Bounded:
      fail(node);
  }
  fail(node);
}

}  // namespace solway::dsl
