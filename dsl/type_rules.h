#pragma once

#include <utility>

#include "dsl/expr.h"

/// NumPy 2's type rules among the element types that programs may hold.
namespace solway::dsl {

/// The smallest type that holds both: int32 and float32 give float64. No operand is a literal.
DType promote(DType a, DType b);

/// The type in which `a` and `b` meet; a weak literal takes the other operand's type.
DType common_type(const Expr& a, const Expr& b);

/// `expr` converted to `type`, never weak: a literal is rewritten, anything else is wrapped in a
/// Cast. Returns `expr` itself when nothing changes. Throws DslError for an integer literal that
/// `type` cannot hold.
Expr convert(const Expr& expr, DType type, const SourceLoc& where);

/// The condition that `expr` states: itself when Bool, else `expr != 0`.
Expr to_condition(const Expr& expr, const SourceLoc& where);

/// Both operands of `op` converted to the type that `op` computes in.
/// Throws DslError for types that NumPy refuses, UnsupportedError for results that need float16.
std::pair<Expr, Expr> convert_operands(BinaryOp op, const Expr& a, const Expr& b,
                                       const SourceLoc& where);

/// The operand of a math function (sqrt, exp, ...): floats as they are, int32 and int64 as
/// float64. Throws UnsupportedError for int8 and bool, which NumPy computes in float16.
Expr convert_to_float(UnaryOp op, const Expr& operand, const SourceLoc& where);

/// The type in which a reduction accumulates: the operand's, except int64 for sums and products of
/// conditions.
DType accumulation_type(ReduceOp op, DType operand);

/// True when `type` holds `value`; floats hold every integer, rounded.
bool fits(std::int64_t value, DType type);

}  // namespace solway::dsl
