#include "codegen/llvm/detail/vector_math/float_functions.h"

namespace solway::codegen::detail {
namespace {

/// Whether the function is written for float64 as well.
bool is_of_double(UnaryOp op) {
  return op == UnaryOp::Exp || op == UnaryOp::Sigmoid || op == UnaryOp::Tanh ||
         op == UnaryOp::Erf || op == UnaryOp::Log;
}

}  // namespace

FloatFunction float_function_or_null(UnaryOp op, DType type) {
  const bool is_there = type == DType::Float32 || (type == DType::Float64 && is_of_double(op));
  if (!is_there) return nullptr;
  switch (op) {
    case UnaryOp::Exp:
      return float_exp;
    case UnaryOp::Exp2:
      return float_exp2;
    case UnaryOp::Expm1:
      return float_expm1;
    case UnaryOp::Sigmoid:
      return float_sigmoid;
    case UnaryOp::Tanh:
      return float_tanh;
    case UnaryOp::Erf:
      return float_erf;
    case UnaryOp::Log:
      return float_log;
    case UnaryOp::Log2:
      return float_log2;
    case UnaryOp::Log10:
      return float_log10;
    case UnaryOp::Log1p:
      return float_log1p;
    case UnaryOp::Sin:
      return float_sin;
    case UnaryOp::Cos:
      return float_cos;
    case UnaryOp::Tan:
      return float_tan;
    case UnaryOp::Asin:
      return float_asin;
    case UnaryOp::Acos:
      return float_acos;
    case UnaryOp::Atan:
      return float_atan;
    case UnaryOp::Sinh:
      return float_sinh;
    case UnaryOp::Cosh:
      return float_cosh;
    case UnaryOp::Asinh:
      return float_asinh;
    case UnaryOp::Acosh:
      return float_acosh;
    case UnaryOp::Atanh:
      return float_atanh;
    case UnaryOp::Cbrt:
      return float_cbrt;
    case UnaryOp::Neg:
    case UnaryOp::Not:
    case UnaryOp::Abs:
    case UnaryOp::Sqrt:
    case UnaryOp::Rsqrt:
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Round:
    case UnaryOp::Trunc:
    case UnaryOp::Sign:
    case UnaryOp::BitNot:
    case UnaryOp::IsNan:
    case UnaryOp::IsInf:
    case UnaryOp::IsFinite:
      break;
  }
  return nullptr;
}

FloatFunctionOfTwo float_function_or_null(BinaryOp op, DType type) {
  if (type != DType::Float32) return nullptr;
  if (op == BinaryOp::Pow) return float_pow;
  if (op == BinaryOp::Atan2) return float_atan2;
  return op == BinaryOp::Hypot ? float_hypot : nullptr;
}

}  // namespace solway::codegen::detail
