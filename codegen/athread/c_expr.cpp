#include "codegen/athread/c_expr.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "codegen/c/half.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using ir::Binary;
using ir::Cast;
using ir::Expr;
using ir::ExprKind;
using ir::FloatImm;
using ir::IntImm;
using ir::Load;
using ir::Select;
using ir::Unary;
using ir::Var;

constexpr int kTernary = 1;
constexpr int kOr = 2;
constexpr int kAnd = 3;
constexpr int kComparison = 4;
constexpr int kAdd = 5;
constexpr int kMul = 6;
constexpr int kUnary = 7;
constexpr int kPostfix = 8;
constexpr int kBitwise = kTernary;  // as an operand always in parentheses

[[noreturn]] void fail_vector(const char* form) {
  throw InternalError({{},
                       std::string("the vector operation '") + form + "' in a scalar expression",
                       "vectorize_loops() should have kept the loop",
                       ""});
}

std::string int_literal(std::int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807L - 1)";
  const bool is_long = value > INT32_MAX || value < INT32_MIN + std::int64_t{1};
  return std::to_string(value) + (is_long ? "L" : "");
}

int literal_precedence(std::int64_t value) {
  return value < 0 && value != INT64_MIN ? kUnary : kPostfix;
}

/// True for sums, differences and products of literals alone, which C would compute in `int`.
bool is_literal_tree(const Expr& e) {
  if (e.kind() == ExprKind::IntImm) return true;
  const Binary* n = e.as_or_null<Binary>();
  if (n == nullptr) return false;
  const bool is_sum = n->op == BinaryOp::Add || n->op == BinaryOp::Sub || n->op == BinaryOp::Mul;
  return is_sum && is_literal_tree(n->a) && is_literal_tree(n->b);
}

bool is_bitwise(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}

bool is_half(DType type) { return is_float(type) && size_bytes(type) == 2; }

/// Narrower than int, in which C computes it.
bool is_narrow(DType type) { return is_integer(type) && size_bytes(type) < 4; }

/// Suffix of the helper that computes in this type.
const char* suffix(DType type) {
  if (type == DType::Float64) return "_f64";
  if (is_float(type)) return "_f32";
  return type == DType::Int64 ? "_i64" : "_i32";
}

const char* helper_base(BinaryOp op) {
  if (op == BinaryOp::Add) return "add";
  if (op == BinaryOp::Sub) return "sub";
  if (op == BinaryOp::Mul) return "mul";
  if (op == BinaryOp::FloorDiv) return "floor_div";
  if (op == BinaryOp::Mod) return "mod";
  if (op == BinaryOp::Fmod) return "remainder";
  if (op == BinaryOp::Min) return "min";
  if (op == BinaryOp::Max) return "max";
  if (op == BinaryOp::Pow) return "pow";
  if (op == BinaryOp::ShiftLeft) return "shift_left";
  return op == BinaryOp::ShiftRight ? "shift_right" : "";
}

}  // namespace

std::string c_type(DType type) {
  switch (type) {
    case DType::Bool:
    case DType::UInt8:
      return "unsigned char";
    case DType::Int8:
      return "signed char";
    case DType::Int16:
      return "short";
    case DType::Float16:
    case DType::BFloat16:
      return "unsigned short";
    case DType::Int32:
      return "int";
    case DType::Int64:
      return "long";
    case DType::Float32:
      return "float";
    case DType::Float64:
      return "double";
  }
  return "";
}

std::string CExprPrinter::print(const Expr& e) { return express(e).text; }

std::string CExprPrinter::print_operand(const Expr& e) { return wrapped(e, kMul); }

std::string CExprPrinter::print_bound(const Expr& e) { return wrapped(e, kAdd); }

std::string CExprPrinter::element(const ir::BufferNode& buffer, const std::vector<Expr>& indices) {
  if (const RegisterNames* registers = registers_of(buffer.name)) {
    return registers->at(buffer, indices);
  }
  std::string text = names_.of(buffer.name);
  if (indices.empty()) return text + "[0]";
  for (const Expr& index : indices) text += "[" + print(index) + "]";
  return text;
}

std::string CExprPrinter::combined(ReduceOp op, DType type, const std::string& a,
                                   const std::string& b) {
  if (op == ReduceOp::Sum) return "(" + a + " + " + b + ")";
  if (op == ReduceOp::Prod) return "(" + a + " * " + b + ")";
  return call(std::string(op == ReduceOp::Min ? "min" : "max") + suffix(type), {a, b});
}

void CExprPrinter::keep(const std::string& buffer, RegisterNames names) {
  registers_[buffer] = std::move(names);
}

const RegisterNames* CExprPrinter::registers_of(const std::string& buffer) const {
  const auto it = registers_.find(buffer);
  return it == registers_.end() ? nullptr : &it->second;
}

std::string CExprPrinter::call(const std::string& helper,
                               const std::vector<std::string>& arguments) {
  helpers_.insert(helper);
  for (const char* base : {"sigmoid_f", "floor_div_f", "mod_f"}) {
    if (helper.rfind(base, 0) == 0) needs_math_ = true;
  }
  std::string text = helper + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

std::string CExprPrinter::math(std::string_view function, DType type,
                               const std::vector<std::string>& arguments) {
  needs_math_ = true;
  std::string text = std::string(function) + (type == DType::Float32 ? "f(" : "(");
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

std::string CExprPrinter::wrapped(const Expr& e, int least_precedence) {
  const Text text = express(e);
  return text.precedence < least_precedence ? "(" + text.text + ")" : text.text;
}

CExprPrinter::Text CExprPrinter::infix(const Binary& e, const char* op, int left, int right,
                                       int precedence) {
  return {wrapped(e.a, left) + " " + op + " " + wrapped(e.b, right), precedence};
}

CExprPrinter::Text CExprPrinter::integer_result(const ir::ExprNode& e,
                                                const std::string& call_text) {
  if (!is_narrow(e.type.scalar)) return {call_text, kPostfix};
  return {"(" + c_type(e.type.scalar) + ")" + call_text, kUnary};
}

CExprPrinter::Text CExprPrinter::float_literal(const FloatImm& e) {
  if (is_half(e.type.scalar)) return {half_literal(e.value, e.type.scalar), kPostfix};
  const bool is_single = e.type.scalar == DType::Float32;
  if (std::isnan(e.value) || std::isinf(e.value)) {
    needs_math_ = true;
    const std::string text = std::isnan(e.value) ? "NAN" : e.value < 0 ? "-INFINITY" : "INFINITY";
    return {is_single ? text : "(double)" + text, kUnary};
  }
  char digits[32];
  const auto end = is_single ? std::to_chars(digits, digits + 32, static_cast<float>(e.value)).ptr
                             : std::to_chars(digits, digits + 32, e.value).ptr;
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (is_single) text += "f";
  return {text, std::signbit(e.value) ? kUnary : kPostfix};
}

CExprPrinter::Text CExprPrinter::express(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::IntImm: {
      const std::int64_t value = e.as<IntImm>().value;
      return {int_literal(value), literal_precedence(value)};
    }
    case ExprKind::FloatImm:
      return float_literal(e.as<FloatImm>());
    case ExprKind::Var:
      return {names_.of(e.as<Var>().name), kPostfix};
    case ExprKind::Unary:
      return express(e.as<Unary>());
    case ExprKind::Binary:
      return express(e.as<Binary>());
    case ExprKind::Select: {
      const Select& n = e.as<Select>();
      return {wrapped(n.condition, kOr) + " ? " + wrapped(n.if_true, kOr) + " : " +
                  wrapped(n.if_false, kOr),
              kTernary};
    }
    case ExprKind::Cast:
      return express(e.as<Cast>());
    case ExprKind::Load:
      return {element(*e.as<Load>().buffer, e.as<Load>().indices), kPostfix};
    case ExprKind::Broadcast:
      fail_vector("broadcast");
    case ExprKind::Ramp:
      fail_vector("ramp");
    case ExprKind::VectorLoad:
      fail_vector("vload");
    case ExprKind::ReduceLanes: {
      const auto it = lanes_.find(&e.as<ir::ReduceLanes>());
      if (it == lanes_.end()) fail_vector("reduce");
      return {it->second, kPostfix};
    }
    case ExprKind::Dot:
      fail_vector("dot");
    case ExprKind::VectorScale:
      fail_vector("vscale");
  }
  return {};
}

CExprPrinter::Text CExprPrinter::express(const Unary& e) {
  const DType type = e.operand.type().scalar;
  if (e.op == UnaryOp::Not) return {"!" + wrapped(e.operand, kPostfix), kUnary};
  if (e.op == UnaryOp::BitNot) return {"~" + wrapped(e.operand, kPostfix), kUnary};
  if (e.type.scalar == DType::Bool) {  // macros that give any number but 0 for true
    return {math(to_string(e.op), DType::Float64, {print(e.operand)}) + " != 0", kComparison};
  }
  if (e.op == UnaryOp::Sign) {
    const std::string sign = call(std::string("sign") + suffix(type), {print(e.operand)});
    return is_float(type) ? Text{sign, kPostfix} : integer_result(e, sign);
  }
  if (is_integer(type)) {
    if (e.op == UnaryOp::Neg && !may_wrap(e, ranges_)) {
      return {"-" + wrapped(e.operand, kPostfix), kUnary};
    }
    const char* base = e.op == UnaryOp::Neg ? "neg" : "abs";
    return integer_result(e, call(std::string(base) + suffix(type), {print(e.operand)}));
  }
  if (e.op == UnaryOp::Neg) return {"-" + wrapped(e.operand, kPostfix), kUnary};
  if (has_vectors_ && type == DType::Float32 && has_vector_function(e.op)) {
    number_functions_.insert(e.op);
    return {number_function_name(e.op) + "(" + print(e.operand) + ")", kPostfix};
  }
  if (e.op == UnaryOp::Rsqrt) {
    const std::string root = math("sqrt", type, {print(e.operand)});
    return {(type == DType::Float32 ? "1.0f / " : "1.0 / ") + root, kMul};
  }
  if (e.op == UnaryOp::Sigmoid) {
    return {call(std::string("sigmoid") + suffix(type), {print(e.operand)}), kPostfix};
  }
  return {math(libm_name(e.op), type, {print(e.operand)}), kPostfix};
}

CExprPrinter::Text CExprPrinter::express(const Binary& e) {
  const DType type = e.type.scalar;
  if (is_comparison(e.op)) {
    std::string op(to_string(e.op));
    return infix(e, op.c_str(), kAdd, kAdd, kComparison);
  }
  // Compilers warn about `&&` within `||` without parentheses.
  if (e.op == BinaryOp::And) return infix(e, "&&", kAnd, kComparison, kAnd);
  if (e.op == BinaryOp::Or) {
    const auto side = [&](const Expr& x) {
      const Text text = express(x);
      const bool is_bare = text.precedence >= kComparison || text.precedence == kOr;
      return is_bare ? text.text : "(" + text.text + ")";
    };
    return {side(e.a) + " || " + side(e.b), kOr};
  }
  const bool is_exact_in_c = is_float(type) || (!is_narrow(type) && !may_wrap(e, ranges_));
  if (is_integer(type) && is_exact_in_c && is_literal_tree(e.a) && is_literal_tree(e.b)) {
    const std::int64_t value = range_of(e, ranges_).lo;
    return {int_literal(value), literal_precedence(value)};
  }
  if (is_exact_in_c) {
    const IntImm* right = e.b.as_or_null<IntImm>();
    if (e.op == BinaryOp::Add && right != nullptr && right->value < 0 &&
        right->value != INT64_MIN) {
      return {wrapped(e.a, kAdd) + " - " + int_literal(-right->value), kAdd};
    }
    if (e.op == BinaryOp::Add) return infix(e, "+", kAdd, kMul, kAdd);
    if (e.op == BinaryOp::Sub) return infix(e, "-", kAdd, kMul, kAdd);
    if (e.op == BinaryOp::Mul) return infix(e, "*", kMul, kUnary, kMul);
  }
  if (e.op == BinaryOp::Div) return infix(e, "/", kMul, kUnary, kMul);
  const bool is_plain_division = is_integer(type) && !is_narrow(type) &&
                                 range_of(e.a, ranges_).lo >= 0 && range_of(e.b, ranges_).lo > 0;
  if (e.op == BinaryOp::FloorDiv && is_plain_division) return infix(e, "/", kMul, kUnary, kMul);
  if (e.op == BinaryOp::Mod && is_plain_division) return infix(e, "%", kMul, kUnary, kMul);
  if (is_bitwise(e.op)) {  // operands in parentheses: compilers warn where they are mixed
    const std::string op = " " + std::string(to_string(e.op)) + " ";
    return {wrapped(e.a, kPostfix) + op + wrapped(e.b, kPostfix), kBitwise};
  }
  if (!libm_name(e.op).empty() && is_float(type)) {
    return {math(libm_name(e.op), type, {print(e.a), print(e.b)}), kPostfix};
  }
  return integer_result(
      e, call(std::string(helper_base(e.op)) + suffix(type), {print(e.a), print(e.b)}));
}

CExprPrinter::Text CExprPrinter::express(const Cast& e) {
  return converted(express(e.operand), e.operand.type().scalar, e.type.scalar);
}

CExprPrinter::Text CExprPrinter::converted(const Text& operand, DType from, DType to) {
  if (from == to) return operand;
  const auto at_least = [&](int precedence) {
    return operand.precedence < precedence ? "(" + operand.text + ")" : operand.text;
  };
  if (is_half(from)) {
    const std::string single = half_cast(operand.text, from, DType::Float32, halves_);
    return converted({single, kPostfix}, DType::Float32, to);
  }
  if (is_half(to)) {
    // An integer that float may not hold goes through double, which is rounded once.
    const bool is_wide = from != DType::Float32 && size_bytes(from) >= 4;
    const DType via = is_wide ? DType::Float64 : DType::Float32;
    return {half_cast(converted(operand, from, via).text, via, to, halves_), kPostfix};
  }
  if (to == DType::Bool) return {at_least(kAdd) + " != 0", kComparison};
  if (is_float(from) && is_integer(to)) {
    const std::string name = "f64_to_" + std::string(to == DType::UInt8 ? "u" : "i") +
                             std::to_string(8 * size_bytes(to));
    return {call(name, {operand.text}), kPostfix};
  }
  return {"(" + c_type(to) + ")" + at_least(kUnary), kUnary};
}

}  // namespace solway::codegen
