#pragma once

#include <initializer_list>
#include <vector>

#include "driver/frontend/expr.h"
#include "driver/frontend/size.h"

/// Functions of expressions, with NumPy's names and NumPy's results.
namespace solway {

/// One of two values; only the chosen one is computed.
Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false,
            Line line = Line::current());
/// True where every condition holds; of none, true.
Expr all_of(const std::vector<Expr>& conditions, Line line = Line::current());
/// True where some condition holds; of none, false.
Expr any_of(const std::vector<Expr>& conditions, Line line = Line::current());
/// `value` converted, as NumPy converts.
Expr cast(const Expr& value, DType type, Line line = Line::current());

/// Division that rounds towards minus infinity, Python's `//`.
Expr floor_divide(const Expr& a, const Expr& b, Line line = Line::current());
Expr minimum(const Expr& a, const Expr& b, Line line = Line::current());
Expr maximum(const Expr& a, const Expr& b, Line line = Line::current());
/// The smaller and the larger number, where minimum and maximum give NaN if one of them is NaN.
Expr fmin(const Expr& a, const Expr& b, Line line = Line::current());
Expr fmax(const Expr& a, const Expr& b, Line line = Line::current());
/// The remainder that has the sign of `a`, C's.
Expr fmod(const Expr& a, const Expr& b, Line line = Line::current());
Expr pow(const Expr& a, const Expr& b, Line line = Line::current());
Expr arctan2(const Expr& a, const Expr& b, Line line = Line::current());
Expr hypot(const Expr& a, const Expr& b, Line line = Line::current());
Expr copysign(const Expr& a, const Expr& b, Line line = Line::current());
/// In the operand's type, of integers truncated; of conditions in int8.
Expr square(const Expr& x, Line line = Line::current());
Expr reciprocal(const Expr& x, Line line = Line::current());
/// abs and round in floats, also of integers and conditions.
Expr fabs(const Expr& x, Line line = Line::current());
Expr rint(const Expr& x, Line line = Line::current());
Expr clip(const Expr& value, const Expr& lower, const Expr& upper, Line line = Line::current());

Expr abs(const Expr& x, Line line = Line::current());
Expr sqrt(const Expr& x, Line line = Line::current());
Expr rsqrt(const Expr& x, Line line = Line::current());
Expr cbrt(const Expr& x, Line line = Line::current());
Expr exp(const Expr& x, Line line = Line::current());
Expr exp2(const Expr& x, Line line = Line::current());
Expr expm1(const Expr& x, Line line = Line::current());
Expr log(const Expr& x, Line line = Line::current());
Expr log2(const Expr& x, Line line = Line::current());
Expr log10(const Expr& x, Line line = Line::current());
Expr log1p(const Expr& x, Line line = Line::current());
Expr sin(const Expr& x, Line line = Line::current());
Expr cos(const Expr& x, Line line = Line::current());
Expr tan(const Expr& x, Line line = Line::current());
Expr arcsin(const Expr& x, Line line = Line::current());
Expr arccos(const Expr& x, Line line = Line::current());
Expr arctan(const Expr& x, Line line = Line::current());
Expr sinh(const Expr& x, Line line = Line::current());
Expr cosh(const Expr& x, Line line = Line::current());
Expr tanh(const Expr& x, Line line = Line::current());
Expr arcsinh(const Expr& x, Line line = Line::current());
Expr arccosh(const Expr& x, Line line = Line::current());
Expr arctanh(const Expr& x, Line line = Line::current());
Expr sigmoid(const Expr& x, Line line = Line::current());
Expr erf(const Expr& x, Line line = Line::current());
/// To whole numbers: down, up, to the nearest (halves to even), towards 0.
Expr floor(const Expr& x, Line line = Line::current());
Expr ceil(const Expr& x, Line line = Line::current());
Expr round(const Expr& x, Line line = Line::current());
Expr trunc(const Expr& x, Line line = Line::current());
/// -1, 0 or 1; NaN of NaN.
Expr sign(const Expr& x, Line line = Line::current());
/// Conditions on floats.
Expr isnan(const Expr& x, Line line = Line::current());
Expr isinf(const Expr& x, Line line = Line::current());
Expr isfinite(const Expr& x, Line line = Line::current());

/// Which terms of a reduction count; the others are left out, and need not lie in bounds. Loops run
/// over no others where the condition is affine: sum(A[i, k], {k}, Where{k <= i}).
struct Where {
  Expr condition;
};

/// Declared reductions over axes that reduce_axis() made; over none, the operation's identity.
Expr sum(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
Expr prod(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
Expr min(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
Expr max(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
/// The same of some terms.
Expr sum(const Expr& x, const std::vector<Axis>& axis, const Where& where,
         Line line = Line::current());
Expr prod(const Expr& x, const std::vector<Axis>& axis, const Where& where,
          Line line = Line::current());
Expr min(const Expr& x, const std::vector<Axis>& axis, const Where& where,
         Line line = Line::current());
Expr max(const Expr& x, const std::vector<Axis>& axis, const Where& where,
         Line line = Line::current());
/// The same, accumulated in another type.
Expr sum(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line = Line::current());
Expr prod(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line = Line::current());
Expr min(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line = Line::current());
Expr max(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line = Line::current());
/// Whether every condition holds, or some.
Expr all(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
Expr any(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
Expr all(const Expr& x, const std::vector<Axis>& axis, const Where& where,
         Line line = Line::current());
Expr any(const Expr& x, const std::vector<Axis>& axis, const Where& where,
         Line line = Line::current());
/// The position of the first smallest or largest value, int64: row-major over several axes.
Expr argmin(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());
Expr argmax(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current());

/// An index that depends on data, with the promise that begin <= index < end.
Expr bounded(const Expr& index, const Extent& begin, const Extent& end,
             Line line = Line::current());

}  // namespace solway
