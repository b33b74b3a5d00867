#pragma once

#include <cstdint>
#include <string_view>

#include "support/dtype.h"

namespace solway {

/// Operations of one operand. Math functions keep the operand's float type.
enum class UnaryOp : std::uint8_t {
  Neg,
  Not,
  Abs,
  Sqrt,
  Rsqrt,
  Exp,
  Log,
  Tanh,
  Sigmoid,
  Erf,
  Sin,
  Cos,
  Floor,
  Ceil,
  Round,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Asinh,
  Acosh,
  Atanh,
  Exp2,
  Expm1,
  Log2,
  Log10,
  Log1p,
  Cbrt,
  Trunc,
  Sign,    ///< -1, 0 or 1; NaN of NaN
  BitNot,  ///< of integers
  IsNan,   ///< these three give Bool
  IsInf,
  IsFinite
};
inline constexpr UnaryOp kLastUnaryOp = UnaryOp::IsFinite;

/// Operations of two operands of one type. FloorDiv and Mod round towards minus infinity, as
/// NumPy's `//` and `%`; Fmod towards zero; Div is true division of floats; Min and Max propagate
/// NaN. A shift by the number of bits or more, or by less than 0, gives 0, or -1 where a negative
/// number is shifted to the right.
enum class BinaryOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Min,
  Max,
  Pow,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,  // give Bool
  And,
  Or,  // of Bool
  Fmod,
  Atan2,
  Hypot,
  Copysign,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight
};
inline constexpr BinaryOp kLastBinaryOp = BinaryOp::ShiftRight;

/// How a declared reduction combines. All and Any are of Bool.
enum class ReduceOp : std::uint8_t { Sum, Prod, Min, Max, All, Any };
inline constexpr ReduceOp kLastReduceOp = ReduceOp::Any;

std::string_view to_string(UnaryOp op);   ///< "sqrt", "-" for Neg, "not"
std::string_view to_string(BinaryOp op);  ///< "+", "//", "min", "and", ...
std::string_view to_string(ReduceOp op);  ///< "sum"

/// Whether values of that type are operands; the types that are only stored (see arithmetic_type)
/// never are.
bool takes(UnaryOp op, DType type);
bool takes(BinaryOp op, DType type);
/// The type of the result: Bool, or the operands'.
DType result_type(UnaryOp op, DType type);
DType result_type(BinaryOp op, DType type);
bool is_comparison(BinaryOp op);

/// The name in C's math library for double ("fabs", "rint"); empty for what is no function there.
std::string_view libm_name(UnaryOp op);
std::string_view libm_name(BinaryOp op);

/// How tightly an infix operator of Python binds; functions are atoms.
enum class Binding : std::uint8_t {
  None,
  Or,
  And,
  Not,
  Compare,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Sum,
  Product,
  Negation,
  Power,
  Atom
};
Binding binding(BinaryOp op);
/// The next tighter one.
Binding tighter(Binding binding);

/// The operation that merges two values of a reduction: Add, Mul, Min, Max, And, Or.
BinaryOp combine_op(ReduceOp op);

}  // namespace solway
