#include "driver/frontend/functions.h"

#include "dsl/composed_functions.h"
#include "dsl/reducer.h"
#include "dsl/terms_where.h"

namespace solway {
namespace {

Expr unary(UnaryOp op, const Expr& x, const Line& line) {
  return Expr(dsl::make_unary(op, x.node(), to_source_loc(line)));
}

Expr binary(BinaryOp op, const Expr& a, const Expr& b, const Line& line) {
  return Expr(dsl::make_binary(op, a.node(), b.node(), to_source_loc(line)));
}

Expr fold(BinaryOp op, const std::vector<Expr>& conditions, bool empty, const Line& line) {
  if (conditions.empty()) return {empty, line};
  Expr out = conditions[0];
  for (std::size_t k = 1; k < conditions.size(); ++k) out = binary(op, out, conditions[k], line);
  return out.dtype() == DType::Bool ? out : binary(op, out, {empty, line}, line);
}

std::vector<dsl::Axis> nodes_of(const std::vector<Axis>& axes) {
  std::vector<dsl::Axis> out;
  for (const Axis& axis : axes) out.push_back(axis.node());
  return out;
}

Expr reduce(ReduceOp op, const Expr& x, const std::vector<Axis>& axis, const Line& line) {
  return Expr(dsl::make_reduce(op, x.node(), nodes_of(axis), to_source_loc(line)));
}

Expr reduce(ReduceOp op, const Expr& x, const std::vector<Axis>& axis, const Where& where,
            const Line& line) {
  const dsl::Expr terms =
      dsl::make_terms_where(op, x.node(), where.condition.node(), to_source_loc(line));
  return reduce(op, Expr(terms), axis, line);
}

Expr composed(dsl::ComposedFunction function, const Expr& x, const Line& line) {
  return Expr(dsl::make_composed(function, x.node(), to_source_loc(line)));
}

}  // namespace

Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false, Line line) {
  return Expr(
      dsl::make_select(condition.node(), if_true.node(), if_false.node(), to_source_loc(line)));
}

Expr all_of(const std::vector<Expr>& conditions, Line line) {
  return fold(BinaryOp::And, conditions, true, line);
}

Expr any_of(const std::vector<Expr>& conditions, Line line) {
  return fold(BinaryOp::Or, conditions, false, line);
}

Expr cast(const Expr& value, DType type, Line line) { return value.astype(type, line); }

Expr floor_divide(const Expr& a, const Expr& b, Line line) {
  return binary(BinaryOp::FloorDiv, a, b, line);
}
Expr minimum(const Expr& a, const Expr& b, Line line) { return binary(BinaryOp::Min, a, b, line); }
Expr maximum(const Expr& a, const Expr& b, Line line) { return binary(BinaryOp::Max, a, b, line); }
Expr fmin(const Expr& a, const Expr& b, Line line) {
  return select(any_of({binary(BinaryOp::Le, a, b, line), isnan(b, line)}, line), a, b, line);
}
Expr fmax(const Expr& a, const Expr& b, Line line) {
  return select(any_of({binary(BinaryOp::Ge, a, b, line), isnan(b, line)}, line), a, b, line);
}
Expr fmod(const Expr& a, const Expr& b, Line line) { return binary(BinaryOp::Fmod, a, b, line); }
Expr arctan2(const Expr& a, const Expr& b, Line line) {
  return binary(BinaryOp::Atan2, a, b, line);
}
Expr hypot(const Expr& a, const Expr& b, Line line) { return binary(BinaryOp::Hypot, a, b, line); }
Expr copysign(const Expr& a, const Expr& b, Line line) {
  return binary(BinaryOp::Copysign, a, b, line);
}
Expr square(const Expr& x, Line line) { return composed(dsl::ComposedFunction::Square, x, line); }
Expr reciprocal(const Expr& x, Line line) {
  return composed(dsl::ComposedFunction::Reciprocal, x, line);
}
Expr fabs(const Expr& x, Line line) { return composed(dsl::ComposedFunction::Fabs, x, line); }
Expr rint(const Expr& x, Line line) { return composed(dsl::ComposedFunction::Rint, x, line); }
Expr pow(const Expr& a, const Expr& b, Line line) { return binary(BinaryOp::Pow, a, b, line); }
Expr clip(const Expr& value, const Expr& lower, const Expr& upper, Line line) {
  return minimum(maximum(value, lower, line), upper, line);
}

Expr abs(const Expr& x, Line line) { return unary(UnaryOp::Abs, x, line); }
Expr sqrt(const Expr& x, Line line) { return unary(UnaryOp::Sqrt, x, line); }
Expr rsqrt(const Expr& x, Line line) { return unary(UnaryOp::Rsqrt, x, line); }
Expr cbrt(const Expr& x, Line line) { return unary(UnaryOp::Cbrt, x, line); }
Expr exp(const Expr& x, Line line) { return unary(UnaryOp::Exp, x, line); }
Expr exp2(const Expr& x, Line line) { return unary(UnaryOp::Exp2, x, line); }
Expr expm1(const Expr& x, Line line) { return unary(UnaryOp::Expm1, x, line); }
Expr log(const Expr& x, Line line) { return unary(UnaryOp::Log, x, line); }
Expr log2(const Expr& x, Line line) { return unary(UnaryOp::Log2, x, line); }
Expr log10(const Expr& x, Line line) { return unary(UnaryOp::Log10, x, line); }
Expr log1p(const Expr& x, Line line) { return unary(UnaryOp::Log1p, x, line); }
Expr sin(const Expr& x, Line line) { return unary(UnaryOp::Sin, x, line); }
Expr cos(const Expr& x, Line line) { return unary(UnaryOp::Cos, x, line); }
Expr tan(const Expr& x, Line line) { return unary(UnaryOp::Tan, x, line); }
Expr arcsin(const Expr& x, Line line) { return unary(UnaryOp::Asin, x, line); }
Expr arccos(const Expr& x, Line line) { return unary(UnaryOp::Acos, x, line); }
Expr arctan(const Expr& x, Line line) { return unary(UnaryOp::Atan, x, line); }
Expr sinh(const Expr& x, Line line) { return unary(UnaryOp::Sinh, x, line); }
Expr cosh(const Expr& x, Line line) { return unary(UnaryOp::Cosh, x, line); }
Expr tanh(const Expr& x, Line line) { return unary(UnaryOp::Tanh, x, line); }
Expr arcsinh(const Expr& x, Line line) { return unary(UnaryOp::Asinh, x, line); }
Expr arccosh(const Expr& x, Line line) { return unary(UnaryOp::Acosh, x, line); }
Expr arctanh(const Expr& x, Line line) { return unary(UnaryOp::Atanh, x, line); }
Expr sigmoid(const Expr& x, Line line) { return unary(UnaryOp::Sigmoid, x, line); }
Expr erf(const Expr& x, Line line) { return unary(UnaryOp::Erf, x, line); }
Expr floor(const Expr& x, Line line) { return unary(UnaryOp::Floor, x, line); }
Expr ceil(const Expr& x, Line line) { return unary(UnaryOp::Ceil, x, line); }
Expr round(const Expr& x, Line line) { return unary(UnaryOp::Round, x, line); }
Expr trunc(const Expr& x, Line line) { return unary(UnaryOp::Trunc, x, line); }
Expr sign(const Expr& x, Line line) { return unary(UnaryOp::Sign, x, line); }
Expr isnan(const Expr& x, Line line) { return unary(UnaryOp::IsNan, x, line); }
Expr isinf(const Expr& x, Line line) { return unary(UnaryOp::IsInf, x, line); }
Expr isfinite(const Expr& x, Line line) { return unary(UnaryOp::IsFinite, x, line); }

Expr sum(const Expr& x, const std::vector<Axis>& axis, Line line) {
  return reduce(ReduceOp::Sum, x, axis, line);
}
Expr sum(const Expr& x, const std::vector<Axis>& axis, const Where& where, Line line) {
  return reduce(ReduceOp::Sum, x, axis, where, line);
}
Expr prod(const Expr& x, const std::vector<Axis>& axis, Line line) {
  return reduce(ReduceOp::Prod, x, axis, line);
}
Expr prod(const Expr& x, const std::vector<Axis>& axis, const Where& where, Line line) {
  return reduce(ReduceOp::Prod, x, axis, where, line);
}
Expr min(const Expr& x, const std::vector<Axis>& axis, Line line) {
  return reduce(ReduceOp::Min, x, axis, line);
}
Expr min(const Expr& x, const std::vector<Axis>& axis, const Where& where, Line line) {
  return reduce(ReduceOp::Min, x, axis, where, line);
}
Expr max(const Expr& x, const std::vector<Axis>& axis, Line line) {
  return reduce(ReduceOp::Max, x, axis, line);
}
Expr max(const Expr& x, const std::vector<Axis>& axis, const Where& where, Line line) {
  return reduce(ReduceOp::Max, x, axis, where, line);
}
Expr sum(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line) {
  return sum(x.astype(dtype, line), axis, line);
}
Expr prod(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line) {
  return prod(x.astype(dtype, line), axis, line);
}
Expr min(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line) {
  return min(x.astype(dtype, line), axis, line);
}
Expr max(const Expr& x, const std::vector<Axis>& axis, DType dtype, Line line) {
  return max(x.astype(dtype, line), axis, line);
}
Expr all(const Expr& x, const std::vector<Axis>& axis, Line line) {
  return reduce(ReduceOp::All, x, axis, line);
}
Expr all(const Expr& x, const std::vector<Axis>& axis, const Where& where, Line line) {
  return reduce(ReduceOp::All, x, axis, where, line);
}
Expr any(const Expr& x, const std::vector<Axis>& axis, Line line) {
  return reduce(ReduceOp::Any, x, axis, line);
}
Expr any(const Expr& x, const std::vector<Axis>& axis, const Where& where, Line line) {
  return reduce(ReduceOp::Any, x, axis, where, line);
}
Expr argmin(const Expr& x, const std::vector<Axis>& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  return Expr(dsl::make_arg_reduce(dsl::Extreme::Smallest, x.node(), nodes_of(axis), where));
}
Expr argmax(const Expr& x, const std::vector<Axis>& axis, Line line) {
  const SourceLoc where = to_source_loc(line);
  return Expr(dsl::make_arg_reduce(dsl::Extreme::Largest, x.node(), nodes_of(axis), where));
}

Expr bounded(const Expr& index, const Extent& begin, const Extent& end, Line line) {
  return Expr(dsl::make_bounded(index.node(), begin.node(), end.node(), to_source_loc(line)));
}

}  // namespace solway
