#include "dsl/expr.h"

#include <limits>
#include <tuple>
#include <utility>

#include "dsl/detail/identifier.h"
#include "dsl/detail/reduce_axes.h"
#include "dsl/tensor.h"
#include "dsl/type_rules.h"
#include "support/error.h"

namespace solway::dsl {

namespace {

ExprNode new_node(ExprKind kind, DType type, SourceLoc where) {
  ExprNode node;
  node.kind = kind;
  node.type = type;
  node.where = std::move(where);
  return node;
}

Expr share(ExprNode node) { return std::make_shared<const ExprNode>(std::move(node)); }

Expr unary_node(UnaryOp op, Expr operand, SourceLoc where) {
  ExprNode node = new_node(ExprKind::Unary, result_type(op, operand->type), std::move(where));
  node.unary = op;
  node.operands = {std::move(operand)};
  return share(std::move(node));
}

Expr binary_node(BinaryOp op, DType type, Expr a, Expr b, SourceLoc where) {
  ExprNode node = new_node(ExprKind::Binary, type, std::move(where));
  node.binary = op;
  node.operands = {std::move(a), std::move(b)};
  return share(std::move(node));
}

Expr make_negation(const Expr& operand, const SourceLoc& where) {
  if (operand->type == DType::Bool) {
    throw DslError({where, "'-' does not take a condition", "the operand is 'bool'",
                    "write sw.cast(x, 'int64') first, or use '~' to negate a condition"});
  }
  if (operand->kind == ExprKind::Float) {
    return make_float(-operand->float_value, operand->type, operand->weak, where);
  }
  if (operand->kind == ExprKind::Int && operand->int_value >= 0) {
    return make_int(-operand->int_value, operand->type, operand->weak, where);
  }
  return unary_node(UnaryOp::Neg, convert(operand, operand->type, where), where);
}

Expr make_bit_not(const Expr& operand, const SourceLoc& where) {
  if (operand->type == DType::Bool) return unary_node(UnaryOp::Not, operand, where);
  if (!is_integer(operand->type)) {
    throw DslError({where, "'~' does not take a float",
                    "the operand is '" + std::string(to_string(operand->type)) + "'",
                    "bit operators take integers and conditions"});
  }
  return unary_node(UnaryOp::BitNot, convert(operand, operand->type, where), where);
}

/// NumPy's conditions are closed under +, * (or, and), max and min (or, and) and bit operators.
BinaryOp op_of_conditions(BinaryOp op) {
  if (op == BinaryOp::Add || op == BinaryOp::Max || op == BinaryOp::BitOr) return BinaryOp::Or;
  if (op == BinaryOp::Mul || op == BinaryOp::Min || op == BinaryOp::BitAnd) return BinaryOp::And;
  return op == BinaryOp::BitXor ? BinaryOp::Ne : op;
}

Extent with_value(std::int64_t number, const Expr& value) {
  Extent out(number);
  out.value = value;
  return out;
}

}  // namespace

Extent begin_of(const Axis& axis) { return with_value(axis->begin, axis->begin_value); }
Extent end_of(const Axis& axis) { return with_value(axis->end, axis->end_value); }

Axis make_axis(std::string name, AxisKind kind, const Extent& begin, const Extent& end,
               SourceLoc where) {
  detail::require_identifier("axis", name, where);
  if (end.max < begin.min) {
    throw DslError({std::move(where), "axis '" + name + "' ends before it begins",
                    "it runs from " + to_string(begin) + " to " + to_string(end),
                    "give a range (begin, end) with begin <= end"});
  }
  auto axis = std::make_shared<AxisNode>();
  axis->name = std::move(name);
  axis->kind = kind;
  axis->begin = begin.min;
  axis->end = end.max;
  axis->begin_value = begin.value;
  axis->end_value = end.value;
  axis->where = std::move(where);
  return axis;
}

Expr make_int(std::int64_t value, DType type, bool weak, SourceLoc where) {
  if (is_float(type)) return make_float(static_cast<double>(value), type, weak, std::move(where));
  if (!fits(value, type)) {
    const std::string name(to_string(type));
    throw DslError({std::move(where), "the number does not fit its type",
                    std::to_string(value) + " is outside '" + name + "'",
                    "convert the other operand to a wider type with sw.cast"});
  }
  ExprNode node = new_node(ExprKind::Int, type, std::move(where));
  node.int_value = value;
  node.weak = weak;
  return share(std::move(node));
}

Expr make_float(double value, DType type, bool weak, SourceLoc where) {
  ExprNode node = new_node(ExprKind::Float, type, std::move(where));
  node.float_value = rounded(value, type);
  node.weak = weak;
  return share(std::move(node));
}

Expr make_size_ref(Size size, SourceLoc where) {
  ExprNode node = new_node(ExprKind::SizeRef, DType::Int64, std::move(where));
  node.size = std::move(size);
  return share(std::move(node));
}

Expr make_axis_ref(Axis axis, SourceLoc where) {
  ExprNode node = new_node(ExprKind::AxisRef, DType::Int64, std::move(where));
  node.axis = std::move(axis);
  return share(std::move(node));
}

Expr make_read(Tensor tensor, std::vector<Expr> indices, SourceLoc where) {
  const std::size_t rank = tensor->shape.size();
  if (indices.size() != rank) {
    throw DslError({std::move(where), "'" + tensor->name + "' needs one index per dimension",
                    "got " + std::to_string(indices.size()) + " indices, tensor '" + tensor->name +
                        "' has rank " + std::to_string(rank),
                    "write " + std::to_string(rank) + " indices"});
  }
  for (std::size_t d = 0; d < rank; ++d) {
    if (!is_integer(indices[d]->type)) {
      throw DslError(
          {std::move(where),
           "index " + std::to_string(d) + " of '" + tensor->name + "' is no integer",
           to_string(indices[d]) + " has type '" + std::string(to_string(indices[d]->type)) + "'",
           "use '//' for integer division, or sw.cast(x, 'int64')"});
    }
    if (indices[d]->weak) indices[d] = convert(indices[d], DType::Int64, where);
  }
  ExprNode node = new_node(ExprKind::Read, tensor->type, std::move(where));
  node.tensor = std::move(tensor);
  node.operands = std::move(indices);
  return share(std::move(node));
}

Expr make_unary(UnaryOp op, Expr operand, SourceLoc where) {
  switch (op) {
    case UnaryOp::Neg:
      return make_negation(operand, where);
    case UnaryOp::Not:
      return unary_node(op, to_condition(operand, where), where);
    case UnaryOp::BitNot:
      return make_bit_not(operand, where);
    case UnaryOp::Sign:
      if (operand->type == DType::Bool) {
        throw DslError({where, "sign does not take a condition", "the operand is 'bool'",
                        "write sw.cast(x, 'int8') first"});
      }
      [[fallthrough]];
    case UnaryOp::Abs:
      operand = convert(operand, operand->type, where);
      return operand->type == DType::Bool ? operand : unary_node(op, std::move(operand), where);
    case UnaryOp::Round:
      if (operand->type == DType::Bool) break;  // in float16, where floor and ceil give conditions
      [[fallthrough]];
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Trunc:
      operand = convert(operand, operand->type, where);
      return is_float(operand->type) ? unary_node(op, std::move(operand), where) : operand;
    case UnaryOp::IsNan:
    case UnaryOp::IsInf:
    case UnaryOp::IsFinite:
      if (is_float(operand->type)) break;
      return make_int(op == UnaryOp::IsFinite ? 1 : 0, DType::Bool, false, std::move(where));
    case UnaryOp::Sqrt:
    case UnaryOp::Rsqrt:
    case UnaryOp::Exp:
    case UnaryOp::Log:
    case UnaryOp::Tanh:
    case UnaryOp::Sigmoid:
    case UnaryOp::Erf:
    case UnaryOp::Sin:
    case UnaryOp::Cos:
    case UnaryOp::Tan:
    case UnaryOp::Asin:
    case UnaryOp::Acos:
    case UnaryOp::Atan:
    case UnaryOp::Sinh:
    case UnaryOp::Cosh:
    case UnaryOp::Asinh:
    case UnaryOp::Acosh:
    case UnaryOp::Atanh:
    case UnaryOp::Exp2:
    case UnaryOp::Expm1:
    case UnaryOp::Log2:
    case UnaryOp::Log10:
    case UnaryOp::Log1p:
    case UnaryOp::Cbrt:
      break;
  }
  const DType type = float_type_of(operand->type);
  return unary_node(op, convert(operand, type, where), where);
}

Expr make_binary(BinaryOp op, Expr a, Expr b, SourceLoc where) {
  if (op == BinaryOp::And || op == BinaryOp::Or) {
    a = to_condition(a, where);
    b = to_condition(b, where);
    return binary_node(op, DType::Bool, std::move(a), std::move(b), std::move(where));
  }
  std::tie(a, b) = convert_operands(op, a, b, where);
  if (a->type == DType::Bool && !is_comparison(op)) op = op_of_conditions(op);
  const DType type = result_type(op, a->type);
  return binary_node(op, type, std::move(a), std::move(b), std::move(where));
}

Expr make_select(Expr condition, Expr if_true, Expr if_false, SourceLoc where) {
  const DType type = common_type(if_true, if_false);
  condition = to_condition(condition, where);
  if_true = convert(if_true, type, where);
  if_false = convert(if_false, type, where);
  ExprNode node = new_node(ExprKind::Select, type, std::move(where));
  node.operands = {std::move(condition), std::move(if_true), std::move(if_false)};
  return share(std::move(node));
}

Expr make_cast(Expr operand, DType type, SourceLoc where) {
  const bool integer_literal = operand->kind == ExprKind::Int;
  if (integer_literal && (is_float(type) || fits(operand->int_value, type))) {
    return make_int(operand->int_value, type, false, std::move(where));
  }
  if (operand->kind == ExprKind::Float && is_float(type)) {
    return make_float(operand->float_value, type, false, std::move(where));
  }
  if (operand->type == type) return operand;
  if (type == DType::Bool) return to_condition(operand, where);
  if (operand->weak) operand = convert(operand, operand->type, where);
  ExprNode node = new_node(ExprKind::Cast, type, std::move(where));
  node.operands = {std::move(operand)};
  return share(std::move(node));
}

Extent extent_of_promise(const ExprNode& bounded) {
  return make_extent(
      make_binary(BinaryOp::Sub, bounded.operands[2], bounded.operands[1], bounded.where),
      bounded.where);
}

Expr make_bounded(Expr index, const Extent& begin, const Extent& end, SourceLoc where) {
  const std::string what = "the bounds of '" + to_string(index) + "' say nothing";
  if (!is_integer(index->type)) {
    throw DslError({where, what, "it has type '" + std::string(to_string(index->type)) + "'",
                    "bound an integer"});
  }
  index = convert(index, DType::Int64, where);
  ExprNode node = new_node(ExprKind::Bounded, DType::Int64, std::move(where));
  const auto number = [&](const Extent& bound) {
    return bound.is_constant() ? make_int(bound.max, DType::Int64, false, node.where) : bound.value;
  };
  node.operands = {std::move(index), number(begin), number(end)};
  if (extent_of_promise(node).min <= 0) {
    const bool is_number = begin.is_constant() && end.is_constant();
    throw DslError({node.where, what,
                    "no index has " + to_string(begin) + " <= index < " + to_string(end) +
                        (is_number ? "" : " for the least values of the sizes"),
                    "give begin < end"});
  }
  return share(std::move(node));
}

Expr make_reduce(ReduceOp op, Expr operand, std::vector<Axis> axes, SourceLoc where) {
  detail::require_reduce_axes(std::string(to_string(op)), axes, where);
  if (op == ReduceOp::All || op == ReduceOp::Any) operand = to_condition(operand, where);
  if (operand->type == DType::Bool && op == ReduceOp::Min) op = ReduceOp::All;
  if (operand->type == DType::Bool && op == ReduceOp::Max) op = ReduceOp::Any;
  const DType given = operand->type;
  const DType type = accumulation_type(op, given);
  operand = convert(operand, type, where);
  ExprNode node = new_node(ExprKind::Reduce, type, where);
  node.reduce = op;
  node.axes = std::move(axes);
  node.operands = {std::move(operand)};
  const bool rounds_once = is_float(type) && type != given;
  return rounds_once ? make_cast(share(std::move(node)), given, std::move(where))
                     : share(std::move(node));
}

Expr identity_of(ReduceOp op, DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Any:
      return make_int(0, type, false, {});
    case ReduceOp::Prod:
    case ReduceOp::All:
      return make_int(1, type, false, {});
    case ReduceOp::Min:
      return is_float(type) ? make_float(infinity, type, false, {})
                            : make_int(largest(type), type, false, {});
    case ReduceOp::Max:
      return is_float(type) ? make_float(-infinity, type, false, {})
                            : make_int(lowest(type), type, false, {});
  }
  throw InternalError({{}, "unknown reduction", "", ""});
}

}  // namespace solway::dsl
