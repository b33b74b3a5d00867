#include "support/scalar_op.h"

#include <string>

#include "support/error.h"

namespace solway {
namespace {

/// Operand types.
enum class Takes : std::uint8_t { Bool, Integers, Floats, Numbers, Everything };

struct UnaryTraits {
  UnaryOp op;
  std::string_view name;
  Takes takes;
  std::string_view libm;
};

constexpr UnaryTraits kUnary[] = {
    {UnaryOp::Neg, "-", Takes::Numbers, ""},
    {UnaryOp::Not, "not", Takes::Bool, ""},
    {UnaryOp::Abs, "abs", Takes::Numbers, "fabs"},
    {UnaryOp::Sqrt, "sqrt", Takes::Floats, "sqrt"},
    {UnaryOp::Rsqrt, "rsqrt", Takes::Floats, ""},
    {UnaryOp::Exp, "exp", Takes::Floats, "exp"},
    {UnaryOp::Log, "log", Takes::Floats, "log"},
    {UnaryOp::Tanh, "tanh", Takes::Floats, "tanh"},
    {UnaryOp::Sigmoid, "sigmoid", Takes::Floats, ""},
    {UnaryOp::Erf, "erf", Takes::Floats, "erf"},
    {UnaryOp::Sin, "sin", Takes::Floats, "sin"},
    {UnaryOp::Cos, "cos", Takes::Floats, "cos"},
    {UnaryOp::Floor, "floor", Takes::Floats, "floor"},
    {UnaryOp::Ceil, "ceil", Takes::Floats, "ceil"},
    {UnaryOp::Round, "round", Takes::Floats, "rint"},
    {UnaryOp::Tan, "tan", Takes::Floats, "tan"},
    {UnaryOp::Asin, "arcsin", Takes::Floats, "asin"},
    {UnaryOp::Acos, "arccos", Takes::Floats, "acos"},
    {UnaryOp::Atan, "arctan", Takes::Floats, "atan"},
    {UnaryOp::Sinh, "sinh", Takes::Floats, "sinh"},
    {UnaryOp::Cosh, "cosh", Takes::Floats, "cosh"},
    {UnaryOp::Asinh, "arcsinh", Takes::Floats, "asinh"},
    {UnaryOp::Acosh, "arccosh", Takes::Floats, "acosh"},
    {UnaryOp::Atanh, "arctanh", Takes::Floats, "atanh"},
    {UnaryOp::Exp2, "exp2", Takes::Floats, "exp2"},
    {UnaryOp::Expm1, "expm1", Takes::Floats, "expm1"},
    {UnaryOp::Log2, "log2", Takes::Floats, "log2"},
    {UnaryOp::Log10, "log10", Takes::Floats, "log10"},
    {UnaryOp::Log1p, "log1p", Takes::Floats, "log1p"},
    {UnaryOp::Cbrt, "cbrt", Takes::Floats, "cbrt"},
    {UnaryOp::Trunc, "trunc", Takes::Floats, "trunc"},
    {UnaryOp::Sign, "sign", Takes::Numbers, ""},
    {UnaryOp::BitNot, "invert", Takes::Integers, ""},
    {UnaryOp::IsNan, "isnan", Takes::Floats, ""},
    {UnaryOp::IsInf, "isinf", Takes::Floats, ""},
    {UnaryOp::IsFinite, "isfinite", Takes::Floats, ""},
};

struct BinaryTraits {
  BinaryOp op;
  std::string_view name;
  Takes takes;
  Binding binding;
  std::string_view libm;
};

constexpr BinaryTraits kBinary[] = {
    {BinaryOp::Add, "+", Takes::Numbers, Binding::Sum, ""},
    {BinaryOp::Sub, "-", Takes::Numbers, Binding::Sum, ""},
    {BinaryOp::Mul, "*", Takes::Numbers, Binding::Product, ""},
    {BinaryOp::Div, "/", Takes::Floats, Binding::Product, ""},
    {BinaryOp::FloorDiv, "//", Takes::Numbers, Binding::Product, ""},
    {BinaryOp::Mod, "%", Takes::Numbers, Binding::Product, ""},
    {BinaryOp::Min, "min", Takes::Numbers, Binding::Atom, ""},
    {BinaryOp::Max, "max", Takes::Numbers, Binding::Atom, ""},
    {BinaryOp::Pow, "pow", Takes::Numbers, Binding::Power, "pow"},
    {BinaryOp::Lt, "<", Takes::Numbers, Binding::Compare, ""},
    {BinaryOp::Le, "<=", Takes::Numbers, Binding::Compare, ""},
    {BinaryOp::Gt, ">", Takes::Numbers, Binding::Compare, ""},
    {BinaryOp::Ge, ">=", Takes::Numbers, Binding::Compare, ""},
    {BinaryOp::Eq, "==", Takes::Everything, Binding::Compare, ""},
    {BinaryOp::Ne, "!=", Takes::Everything, Binding::Compare, ""},
    {BinaryOp::And, "and", Takes::Bool, Binding::And, ""},
    {BinaryOp::Or, "or", Takes::Bool, Binding::Or, ""},
    {BinaryOp::Fmod, "fmod", Takes::Numbers, Binding::Atom, "fmod"},
    {BinaryOp::Atan2, "arctan2", Takes::Floats, Binding::Atom, "atan2"},
    {BinaryOp::Hypot, "hypot", Takes::Floats, Binding::Atom, "hypot"},
    {BinaryOp::Copysign, "copysign", Takes::Floats, Binding::Atom, "copysign"},
    {BinaryOp::BitAnd, "&", Takes::Integers, Binding::BitAnd, ""},
    {BinaryOp::BitOr, "|", Takes::Integers, Binding::BitOr, ""},
    {BinaryOp::BitXor, "^", Takes::Integers, Binding::BitXor, ""},
    {BinaryOp::ShiftLeft, "<<", Takes::Integers, Binding::Shift, ""},
    {BinaryOp::ShiftRight, ">>", Takes::Integers, Binding::Shift, ""},
};

[[noreturn]] void throw_not_an_op(const char* kind, int value) {
  throw InternalError({{}, std::string("no such ") + kind, "value " + std::to_string(value), ""});
}

/// Row k of each table is operation k.
const UnaryTraits& traits(UnaryOp op) {
  if (op > kLastUnaryOp) throw_not_an_op("UnaryOp", static_cast<int>(op));
  return kUnary[static_cast<std::size_t>(op)];
}

const BinaryTraits& traits(BinaryOp op) {
  if (op > kLastBinaryOp) throw_not_an_op("BinaryOp", static_cast<int>(op));
  return kBinary[static_cast<std::size_t>(op)];
}

template <class Row, std::size_t kCount>
constexpr bool is_in_order(const Row (&rows)[kCount]) {
  for (std::size_t k = 0; k < kCount; ++k) {
    if (static_cast<std::size_t>(rows[k].op) != k) return false;
  }
  return true;
}
static_assert(is_in_order(kUnary) && is_in_order(kBinary));
static_assert(sizeof(kUnary) / sizeof(UnaryTraits) == static_cast<std::size_t>(kLastUnaryOp) + 1);
static_assert(sizeof(kBinary) / sizeof(BinaryTraits) ==
              static_cast<std::size_t>(kLastBinaryOp) + 1);

bool takes(Takes operands, DType type) {
  if (arithmetic_type(type) != type) return false;
  switch (operands) {
    case Takes::Bool:
      return type == DType::Bool;
    case Takes::Integers:
      return is_integer(type);
    case Takes::Floats:
      return is_float(type);
    case Takes::Numbers:
      return type != DType::Bool;
    case Takes::Everything:
      return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(UnaryOp op) { return traits(op).name; }
std::string_view to_string(BinaryOp op) { return traits(op).name; }

std::string_view to_string(ReduceOp op) {
  switch (op) {
    case ReduceOp::Sum:
      return "sum";
    case ReduceOp::Prod:
      return "prod";
    case ReduceOp::Min:
      return "min";
    case ReduceOp::Max:
      return "max";
    case ReduceOp::All:
      return "all";
    case ReduceOp::Any:
      return "any";
  }
  throw_not_an_op("ReduceOp", static_cast<int>(op));
}

bool takes(UnaryOp op, DType type) { return takes(traits(op).takes, type); }
bool takes(BinaryOp op, DType type) { return takes(traits(op).takes, type); }

DType result_type(UnaryOp op, DType type) {
  const bool is_condition = op == UnaryOp::IsNan || op == UnaryOp::IsInf || op == UnaryOp::IsFinite;
  return is_condition ? DType::Bool : type;
}

DType result_type(BinaryOp op, DType type) { return is_comparison(op) ? DType::Bool : type; }

bool is_comparison(BinaryOp op) { return traits(op).binding == Binding::Compare; }

std::string_view libm_name(UnaryOp op) { return traits(op).libm; }
std::string_view libm_name(BinaryOp op) { return traits(op).libm; }

Binding binding(BinaryOp op) { return traits(op).binding; }

Binding tighter(Binding binding) {
  if (binding == Binding::Atom) return binding;
  return static_cast<Binding>(static_cast<int>(binding) + 1);
}

BinaryOp combine_op(ReduceOp op) {
  switch (op) {
    case ReduceOp::Sum:
      return BinaryOp::Add;
    case ReduceOp::Prod:
      return BinaryOp::Mul;
    case ReduceOp::Min:
      return BinaryOp::Min;
    case ReduceOp::Max:
      return BinaryOp::Max;
    case ReduceOp::All:
      return BinaryOp::And;
    case ReduceOp::Any:
      return BinaryOp::Or;
  }
  throw_not_an_op("ReduceOp", static_cast<int>(op));
}

}  // namespace solway
