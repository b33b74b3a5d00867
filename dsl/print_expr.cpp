#include <array>
#include <charconv>
#include <cmath>

#include "dsl/expr.h"
#include "dsl/tensor.h"

namespace solway::dsl {

namespace {

// How tightly an expression binds; an operand that binds looser than its place needs is put in
// parentheses.
constexpr int kOr = 1;
constexpr int kAnd = 2;
constexpr int kNot = 3;
constexpr int kCompare = 4;
constexpr int kSum = 5;
constexpr int kProduct = 6;
constexpr int kNegation = 7;
constexpr int kPower = 8;
constexpr int kAtom = 9;

int precedence(BinaryOp op) {
  switch (op) {
    case BinaryOp::Or:
      return kOr;
    case BinaryOp::And:
      return kAnd;
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
      return kCompare;
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return kSum;
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
      return kProduct;
    case BinaryOp::Pow:
      return kPower;
    case BinaryOp::Min:
    case BinaryOp::Max:
      return kAtom;
  }
  return kAtom;
}

int precedence(const ExprNode& e) {
  switch (e.kind) {
    case ExprKind::Binary:
      return precedence(e.binary);
    case ExprKind::Unary:
      if (e.unary == UnaryOp::Neg) return kNegation;
      return e.unary == UnaryOp::Not ? kNot : kAtom;
    case ExprKind::Int:
      return e.int_value < 0 ? kNegation : kAtom;
    case ExprKind::Float:
      return std::signbit(e.float_value) ? kNegation : kAtom;
    case ExprKind::AxisRef:
    case ExprKind::Read:
    case ExprKind::Select:
    case ExprKind::Cast:
    case ExprKind::Reduce:
      return kAtom;
  }
  return kAtom;
}

std::string print(const Expr& expr);

std::string print_at(const Expr& expr, int at_least) {
  const std::string text = print(expr);
  return precedence(*expr) < at_least ? "(" + text + ")" : text;
}

std::string print_list(const std::vector<Expr>& list) {
  std::string text;
  for (const Expr& e : list) text += (text.empty() ? "" : ", ") + print(e);
  return text;
}

std::string print_int(const ExprNode& e) {
  if (e.type == DType::Bool) return e.int_value != 0 ? "True" : "False";
  return std::to_string(e.int_value);
}

/// The shortest text that reads back as the same number of the literal's type.
std::string print_float(const ExprNode& e) {
  if (std::isnan(e.float_value)) return "nan";
  if (std::isinf(e.float_value)) return e.float_value < 0 ? "-inf" : "inf";
  std::array<char, 32> buffer{};
  char* const first = buffer.data();
  char* const last = first + buffer.size();
  const auto result = e.type == DType::Float32
                          ? std::to_chars(first, last, static_cast<float>(e.float_value))
                          : std::to_chars(first, last, e.float_value);
  const std::string text(first, result.ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string print_unary(const ExprNode& e) {
  const std::string name(to_string(e.unary));
  if (e.unary == UnaryOp::Neg) return "-" + print_at(e.operands[0], kPower);
  if (e.unary == UnaryOp::Not) return "not " + print_at(e.operands[0], kNot);
  return name + "(" + print(e.operands[0]) + ")";
}

std::string print_binary(const ExprNode& e) {
  if (e.binary == BinaryOp::Min || e.binary == BinaryOp::Max) {
    return (e.binary == BinaryOp::Min ? "minimum(" : "maximum(") + print_list(e.operands) + ")";
  }
  const int own = precedence(e.binary);
  const std::string symbol(e.binary == BinaryOp::Pow ? "**" : to_string(e.binary));
  const bool chains = own != kCompare && own != kPower;
  return print_at(e.operands[0], chains ? own : own + 1) + " " + symbol + " " +
         print_at(e.operands[1], own + 1);
}

std::string print_reduce(const ExprNode& e) {
  std::string axes;
  for (const Axis& axis : e.axes) axes += (axes.empty() ? "" : ", ") + axis->name;
  if (e.axes.size() > 1) axes = "[" + axes + "]";
  return std::string(to_string(e.reduce)) + "(" + print(e.operands[0]) + ", axis=" + axes + ")";
}

std::string print(const Expr& expr) {
  const ExprNode& e = *expr;
  switch (e.kind) {
    case ExprKind::Int:
      return print_int(e);
    case ExprKind::Float:
      return print_float(e);
    case ExprKind::AxisRef:
      return e.axis->name;
    case ExprKind::Read:
      return e.tensor->name + "[" + print_list(e.operands) + "]";
    case ExprKind::Unary:
      return print_unary(e);
    case ExprKind::Binary:
      return print_binary(e);
    case ExprKind::Select:
      return "select(" + print_list(e.operands) + ")";
    case ExprKind::Cast:
      return "cast(" + print(e.operands[0]) + ", " + std::string(to_string(e.type)) + ")";
    case ExprKind::Reduce:
      return print_reduce(e);
  }
  return "";
}

}  // namespace

std::string to_string(const Expr& expr) { return print(expr); }

}  // namespace solway::dsl
