#pragma once

#include <cstdint>
#include <string_view>

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
  Round
};

/// Operations of two operands of one type. FloorDiv and Mod round towards minus infinity, as
/// NumPy's `//` and `%`; Div is true division of floats; Min and Max propagate NaN.
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
  Or  // of Bool
};

/// How a declared reduction combines.
enum class ReduceOp : std::uint8_t { Sum, Prod, Min, Max };

std::string_view to_string(UnaryOp op);   ///< "sqrt", "-" for Neg, "not"
std::string_view to_string(BinaryOp op);  ///< "+", "//", "min", "and", ...
std::string_view to_string(ReduceOp op);  ///< "sum"
bool is_comparison(BinaryOp op);
/// The operation that merges two values of a reduction: Add, Mul, Min, Max.
BinaryOp combine_op(ReduceOp op);

}  // namespace solway
