#include <array>
#include <charconv>
#include <cmath>

#include "dsl/expr.h"
#include "dsl/reducer.h"
#include "dsl/tensor.h"

namespace solway::dsl {

namespace {

// An operand that binds looser than its place needs is put in parentheses.
Binding binding_of(const ExprNode& e) {
  switch (e.kind) {
    case ExprKind::Binary:
      return binding(e.binary);
    case ExprKind::Unary:
      if (e.unary == UnaryOp::Neg || e.unary == UnaryOp::BitNot) return Binding::Negation;
      return e.unary == UnaryOp::Not ? Binding::Not : Binding::Atom;
    case ExprKind::Int:
      return e.int_value < 0 ? Binding::Negation : Binding::Atom;
    case ExprKind::Float:
      return std::signbit(e.float_value) ? Binding::Negation : Binding::Atom;
    case ExprKind::SizeRef:
    case ExprKind::AxisRef:
    case ExprKind::Read:
    case ExprKind::Select:
    case ExprKind::Cast:
    case ExprKind::Reduce:
    case ExprKind::Item:
    case ExprKind::Param:
    case ExprKind::Bounded:
      return Binding::Atom;
  }
  return Binding::Atom;
}

std::string print(const Expr& expr);

std::string print_at(const Expr& expr, Binding at_least) {
  const std::string text = print(expr);
  return binding_of(*expr) < at_least ? "(" + text + ")" : text;
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
  const auto result = e.type != DType::Float64
                          ? std::to_chars(first, last, static_cast<float>(e.float_value))
                          : std::to_chars(first, last, e.float_value);
  const std::string text(first, result.ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string print_unary(const ExprNode& e) {
  const std::string name(to_string(e.unary));
  if (e.unary == UnaryOp::Neg) return "-" + print_at(e.operands[0], Binding::Power);
  if (e.unary == UnaryOp::BitNot) return "~" + print_at(e.operands[0], Binding::Negation);
  if (e.unary == UnaryOp::Not) return "not " + print_at(e.operands[0], Binding::Not);
  return name + "(" + print(e.operands[0]) + ")";
}

std::string print_binary(const ExprNode& e) {
  if (e.binary == BinaryOp::Min || e.binary == BinaryOp::Max) {
    return (e.binary == BinaryOp::Min ? "minimum(" : "maximum(") + print_list(e.operands) + ")";
  }
  const Binding own = binding(e.binary);
  if (own == Binding::Atom) {
    return std::string(to_string(e.binary)) + "(" + print_list(e.operands) + ")";
  }
  const std::string symbol(e.binary == BinaryOp::Pow ? "**" : to_string(e.binary));
  const bool chains = own != Binding::Compare && own != Binding::Power;
  return print_at(e.operands[0], chains ? own : tighter(own)) + " " + symbol + " " +
         print_at(e.operands[1], tighter(own));
}

std::string print_reduce(const ExprNode& e) {
  std::string axes;
  for (const Axis& axis : e.axes) axes += (axes.empty() ? "" : ", ") + axis->name;
  if (e.axes.size() > 1) axes = "[" + axes + "]";
  const std::string name = e.combiner ? e.combiner->name : std::string(to_string(e.reduce));
  // The second value of argmin is the position of the first.
  const bool is_arg = name == "argmin" || name == "argmax";
  const std::string values = is_arg ? print(e.operands[0]) : print_list(e.operands);
  return name + "(" + values + ", axis=" + axes + ")";
}

std::string print_item(const ExprNode& e) {
  const std::string reduce = print(e.operands[0]);
  const std::string& name = e.operands[0]->combiner->name;
  if (name == "argmin" || name == "argmax") return reduce;
  return reduce + "[" + std::to_string(e.int_value) + "]";
}

std::string print(const Expr& expr) {
  const ExprNode& e = *expr;
  switch (e.kind) {
    case ExprKind::Int:
      return print_int(e);
    case ExprKind::Float:
      return print_float(e);
    case ExprKind::SizeRef:
      return e.size->name;
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
    case ExprKind::Item:
      return print_item(e);
    case ExprKind::Param:
      return "value" + std::to_string(e.int_value);
    case ExprKind::Bounded:
      return "bounded(" + print(e.operands[0]) + ", " + print(e.operands[1]) + ", " +
             print(e.operands[2]) + ")";
  }
  return "";
}

}  // namespace

std::string to_string(const Expr& expr) { return print(expr); }

}  // namespace solway::dsl
