#pragma once

#include <utility>

#include "dsl/expr.h"

/// NumPy 2's type rules among the element types that programs may hold.
namespace solway::dsl {

/// The smallest type that holds both: int32 and float32 give float64. No operand is a literal.
/// bfloat16, which NumPy does not have, gives itself with itself and bool, else what float32 gives.
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
/// Throws DslError for types that NumPy refuses.
std::pair<Expr, Expr> convert_operands(BinaryOp op, const Expr& a, const Expr& b,
                                       const SourceLoc& where);

/// The type in which a math function (sqrt, exp, ...) of such an operand is computed: a float's
/// own; float16, float32 or float64 for integers of 1, 2 or more bytes.
DType float_type_of(DType type);

/// The type in which a reduction accumulates: the operand's, except int64 for sums and products of
/// conditions and float32 for 16-bit floats.
DType accumulation_type(ReduceOp op, DType operand);

/// True when `type` holds `value`; floats hold every integer, rounded.
bool fits(std::int64_t value, DType type);

}  // namespace solway::dsl
