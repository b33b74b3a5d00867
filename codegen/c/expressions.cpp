#include "codegen/c/expressions.h"

#include <charconv>
#include <cmath>

#include "codegen/c/half.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/join_digits.h"
#include "support/error.h"

namespace solway::codegen::c99 {
namespace {

using ir::Expr;
using ir::ExprKind;

/// The emitted text has C type int although the expression may be wider.
bool is_c_int(const Expr& e) {
  if (e.kind() == ExprKind::IntImm) return true;
  if (const auto* select = e.as_or_null<ir::Select>()) {
    return is_c_int(select->if_true) && is_c_int(select->if_false);
  }
  return false;
}

/// `text` without the parentheses around the whole of it.
std::string bare(const std::string& text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

/// Name of the helper of an operation; empty for those that C has as operators.
std::string helper_name(BinaryOp op) {
  if (op == BinaryOp::FloorDiv) return "floordiv";
  if (op == BinaryOp::Mod) return "mod";
  if (op == BinaryOp::Fmod) return "fmod";
  if (op == BinaryOp::Min) return "min";
  if (op == BinaryOp::Max) return "max";
  if (op == BinaryOp::Pow) return "pow";
  if (op == BinaryOp::ShiftLeft) return "shl";
  return op == BinaryOp::ShiftRight ? "shr" : "";
}

bool is_bitwise(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}

std::string wrapping_name(BinaryOp op) {
  if (op == BinaryOp::Add) return "add";
  if (op == BinaryOp::Sub) return "sub";
  return "mul";
}

std::string c_operator(BinaryOp op) {
  if (op == BinaryOp::And) return "&&";
  if (op == BinaryOp::Or) return "||";
  if (op == BinaryOp::FloorDiv) return "/";
  return std::string(to_string(op));
}

}  // namespace

std::string c_literal(const ir::IntImm& e) {
  if (e.type.scalar == DType::Bool) return e.value != 0 ? "true" : "false";
  if (e.value == INT64_MIN) return "INT64_MIN";
  if (e.value == INT32_MIN) return "INT32_MIN";
  if (e.value > INT32_MAX || e.value < INT32_MIN) {
    return "INT64_C(" + std::to_string(e.value) + ")";
  }
  return std::to_string(e.value);
}

std::string c_literal(const ir::FloatImm& e) {
  if (arithmetic_type(e.type.scalar) != e.type.scalar) return half_literal(e.value, e.type.scalar);
  const bool is_single = e.type.scalar == DType::Float32;
  const std::string cast = is_single ? "" : "(double)";
  if (std::isnan(e.value)) return cast + "NAN";
  if (std::isinf(e.value)) return (e.value < 0 ? "-" : "") + cast + "INFINITY";
  char digits[32];
  const auto end = is_single ? std::to_chars(digits, digits + 32, static_cast<float>(e.value)).ptr
                             : std::to_chars(digits, digits + 32, e.value).ptr;
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + (is_single ? "f" : "");
}

std::string CExpressions::element(const ir::BufferNode& buffer, const std::vector<Expr>& indices) {
  return names_.of(buffer.name) + "[" +
         bare(text(ir::join_digits(ir::flat_index(buffer, indices)))) + "]";
}

std::string CExpressions::text(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::IntImm:
      return c_literal(e.as<ir::IntImm>());
    case ExprKind::FloatImm:
      return c_literal(e.as<ir::FloatImm>());
    case ExprKind::Var:
      return names_.of(e.as<ir::Var>().name);
    case ExprKind::Unary:
      return unary(e.as<ir::Unary>());
    case ExprKind::Binary:
      return binary(e);
    case ExprKind::Select: {
      const auto& n = e.as<ir::Select>();
      return "(" + text(n.condition) + " ? " + text(n.if_true) + " : " + text(n.if_false) + ")";
    }
    case ExprKind::Cast:
      return cast(e.as<ir::Cast>());
    case ExprKind::Load:
      return element(*e.as<ir::Load>().buffer, e.as<ir::Load>().indices);
    case ExprKind::Broadcast:
    case ExprKind::Ramp:
    case ExprKind::VectorLoad:
    case ExprKind::ReduceLanes:
    case ExprKind::Dot:
    case ExprKind::VectorScale:
      throw UnsupportedError({{},
                              "portable C of a vector expression is not supported",
                              "the kernel holds vector forms of type " + to_string(e.type()),
                              "build target 'c' without the pass vectorize_loops"});
  }
  return "";
}

std::string CExpressions::unary(const ir::Unary& e) {
  const DType type = e.operand.type().scalar;
  const std::string operand = text(e.operand);
  const std::string name(to_string(e.op));
  if (e.op == UnaryOp::Not) return "(!" + operand + ")";
  if (e.op == UnaryOp::BitNot) return "(~" + operand + ")";
  // Macros that give any number but 0 for true.
  if (e.type.scalar == DType::Bool) return "(" + name + "(" + bare(operand) + ") != 0)";
  if (e.op == UnaryOp::Sign) return helpers_.use(name, type) + "(" + bare(operand) + ")";
  if (is_integer(type)) {
    return helpers_.use(e.op == UnaryOp::Neg ? "neg" : "abs", type) + "(" + bare(operand) + ")";
  }
  if (e.op == UnaryOp::Neg)
    return operand[0] == '-' ? "(-(" + operand + "))" : "(-" + operand + ")";
  if (e.op == UnaryOp::Rsqrt || e.op == UnaryOp::Sigmoid) {
    return helpers_.use(name, type) + "(" + bare(operand) + ")";
  }
  return std::string(libm_name(e.op)) + (type == DType::Float32 ? "f" : "") + "(" + bare(operand) +
         ")";
}

std::string CExpressions::call(const std::string& operation, const ir::Binary& e) {
  return helpers_.use(operation, e.a.type().scalar) + "(" + bare(text(e.a)) + ", " +
         bare(text(e.b)) + ")";
}

std::string CExpressions::binary(const Expr& self) {
  const auto& e = self.as<ir::Binary>();
  const DType type = e.a.type().scalar;
  if (is_integer(type) && !is_comparison(e.op)) return integer_binary(self);
  if (!libm_name(e.op).empty()) {
    return std::string(libm_name(e.op)) + (type == DType::Float32 ? "f(" : "(") + bare(text(e.a)) +
           ", " + bare(text(e.b)) + ")";
  }
  const std::string helper = helper_name(e.op);
  if (!helper.empty()) return call(helper, e);
  return "(" + text(e.a) + " " + c_operator(e.op) + " " + text(e.b) + ")";
}

std::string CExpressions::integer_binary(const Expr& self) {
  const auto& e = self.as<ir::Binary>();
  const bool is_division = e.op == BinaryOp::FloorDiv || e.op == BinaryOp::Mod;
  const std::string helper = helper_name(e.op);
  if (!helper.empty() && !is_division) return call(helper, e);
  if (is_bitwise(e.op)) return "(" + text(e.a) + " " + c_operator(e.op) + " " + text(e.b) + ")";
  // C's division truncates: it is the floor of non-negative numbers only.
  const auto a = try_range(e.a, ranges);
  const bool is_plain = try_range(self, ranges) && (!is_division || a->lo >= 0);
  if (!is_plain) return call(is_division ? helper : wrapping_name(e.op), e);
  const bool is_narrow = is_c_int(e.a) && is_c_int(e.b) && e.a.type().scalar == DType::Int64;
  return std::string("(") + (is_narrow ? "(int64_t)" : "") + text(e.a) + " " + c_operator(e.op) +
         " " + text(e.b) + ")";
}

std::string CExpressions::cast(const ir::Cast& e) {
  return converted(text(e.operand), e.operand.type().scalar, e.type.scalar);
}

std::string CExpressions::converted(const std::string& operand, DType from, DType to) {
  if (from == to) return operand;
  const auto is_half = [](DType type) { return is_float(type) && size_bytes(type) == 2; };
  if (is_half(from)) {
    return converted(helpers_.half(bare(operand), from, DType::Float32), DType::Float32, to);
  }
  if (is_half(to)) {
    // An integer that float may not hold goes through double, which is rounded once.
    const bool is_wide = from != DType::Float32 && size_bytes(from) >= 4;
    const DType via = is_wide ? DType::Float64 : DType::Float32;
    return helpers_.half(bare(converted(operand, from, via)), via, to);
  }
  if (to == DType::Bool) return "(" + operand + " != 0)";
  if (is_float(from) && is_integer(to)) {
    const char* operation = from == DType::Float32 ? "from_f32" : "from_f64";
    return helpers_.use(operation, to) + "(" + bare(operand) + ")";
  }
  return "(" + c_type(to) + ")" + operand;
}

}  // namespace solway::codegen::c99
