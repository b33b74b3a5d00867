#include "codegen/llvm/detail/vector_math/float_functions.h"

namespace solway::codegen::detail {

FloatFunction float_function_or_null(UnaryOp op) {
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
    case UnaryOp::Neg:
    case UnaryOp::Not:
    case UnaryOp::Abs:
    case UnaryOp::Sqrt:
    case UnaryOp::Rsqrt:
    case UnaryOp::Sin:
    case UnaryOp::Cos:
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Round:
    case UnaryOp::Tan:
    case UnaryOp::Asin:
    case UnaryOp::Acos:
    case UnaryOp::Atan:
    case UnaryOp::Sinh:
    case UnaryOp::Cosh:
    case UnaryOp::Asinh:
    case UnaryOp::Acosh:
    case UnaryOp::Atanh:
    case UnaryOp::Cbrt:
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

}  // namespace solway::codegen::detail
