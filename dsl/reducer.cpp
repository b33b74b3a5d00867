#include "dsl/reducer.h"

#include <utility>

#include "dsl/detail/reduce_axes.h"
#include "dsl/type_rules.h"
#include "support/error.h"

namespace solway::dsl {
namespace {

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Whether it can be computed from the parameters alone.
bool is_of_params(const Expr& e) {
  if (e->kind == ExprKind::AxisRef || e->kind == ExprKind::Read || e->kind == ExprKind::Reduce ||
      e->kind == ExprKind::Bounded) {
    return false;
  }
  for (const Expr& operand : e->operands) {
    if (!is_of_params(operand)) return false;
  }
  return true;
}

Expr both(const Expr& a, const Expr& b, const SourceLoc& where) {
  return make_binary(BinaryOp::And, a, b, where);
}

Expr either(const Expr& a, const Expr& b, const SourceLoc& where) {
  return make_binary(BinaryOp::Or, a, b, where);
}

/// The pair (value, index) of which comes first in the order of values, then of indices.
std::shared_ptr<const Combiner> arg_combiner(Extreme extreme, DType type, const SourceLoc& where) {
  const bool smallest = extreme == Extreme::Smallest;
  const Expr value = make_param(0, type, where);
  const Expr index = make_param(1, DType::Int64, where);
  const Expr new_value = make_param(2, type, where);
  const Expr new_index = make_param(3, DType::Int64, where);
  const auto compare = [&](BinaryOp op, const Expr& a, const Expr& b) {
    return make_binary(op, a, b, where);
  };
  const Expr worse = compare(smallest ? BinaryOp::Gt : BinaryOp::Lt, new_value, value);
  const Expr earlier = compare(BinaryOp::Lt, new_index, index);
  Expr wins = either(compare(BinaryOp::Ne, new_value, value), earlier, where);
  if (is_float(type)) {
    const Expr was_nan = make_unary(UnaryOp::IsNan, value, where);
    const Expr is_nan = make_unary(UnaryOp::IsNan, new_value, where);
    wins = either(both(make_unary(UnaryOp::Not, was_nan, where), wins, where),
                  both(is_nan, earlier, where), where);
  }
  // Most terms are worse, which one comparison shows.
  const Expr takes = both(make_unary(UnaryOp::Not, worse, where), wins, where);
  return make_combiner(
      smallest ? "argmin" : "argmax", {type, DType::Int64},
      {identity_of(smallest ? ReduceOp::Min : ReduceOp::Max, type),
       make_int(largest(DType::Int64), DType::Int64, false, where)},
      {make_select(takes, new_value, value, where), make_select(takes, new_index, index, where)},
      true, where);
}

}  // namespace

Expr make_param(std::int64_t position, DType type, SourceLoc where) {
  auto node = std::make_shared<ExprNode>();
  node->kind = ExprKind::Param;
  node->type = type;
  node->int_value = position;
  node->where = std::move(where);
  return node;
}

std::shared_ptr<const Combiner> make_combiner(std::string name, std::vector<DType> types,
                                              std::vector<Expr> identity, std::vector<Expr> results,
                                              bool is_commutative, const SourceLoc& where) {
  const std::size_t count = types.size();
  if (identity.size() != count || results.size() != count || count == 0) {
    throw DslError({where, "'" + name + "' does not fit its values",
                    "it gets " + counted(count, "value") + ", its identity has " +
                        std::to_string(identity.size()) + " and combine returns " +
                        std::to_string(results.size()),
                    "give one identity and one result per value"});
  }
  auto out = std::make_shared<Combiner>();
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_literal =
        identity[k]->kind == ExprKind::Int || identity[k]->kind == ExprKind::Float;
    if (!is_literal || !is_of_params(results[k])) {
      const Expr& wrong = is_literal ? results[k] : identity[k];
      throw DslError({where, "'" + name + "' is no combine function",
                      "'" + to_string(wrong) + "' is made of more than its parameters and numbers",
                      "pass what else it needs as one more value of the reduction"});
    }
    for (const Expr& given : {identity[k], results[k]}) {
      if (!is_float(given->type) || is_float(types[k])) continue;
      throw DslError({where, "'" + name + "' does not fit its values",
                      "'" + to_string(given) + "' is of type '" +
                          std::string(to_string(given->type)) + "', the values are of type '" +
                          std::string(to_string(types[k])) + "'",
                      "cast what is reduced to a float, or combine integers with integers"});
    }
    out->identity.push_back(convert(identity[k], types[k], where));
    out->results.push_back(convert(results[k], types[k], where));
  }
  out->name = std::move(name);
  out->types = std::move(types);
  out->is_commutative = is_commutative;
  return out;
}

std::vector<Expr> make_reduce(std::shared_ptr<const Combiner> combiner, std::vector<Expr> operands,
                              std::vector<Axis> axes, const SourceLoc& where) {
  detail::require_reduce_axes(combiner->name, axes, where);
  auto node = std::make_shared<ExprNode>();
  node->kind = ExprKind::Reduce;
  node->type = combiner->types[0];
  node->where = where;
  node->axes = std::move(axes);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    node->operands.push_back(convert(operands[k], combiner->types[k], where));
  }
  node->combiner = std::move(combiner);
  const Expr reduce = std::move(node);
  if (reduce->operands.size() == 1) return {reduce};
  std::vector<Expr> items;
  for (std::size_t k = 0; k < reduce->operands.size(); ++k) {
    auto item = std::make_shared<ExprNode>();
    item->kind = ExprKind::Item;
    item->type = reduce->combiner->types[k];
    item->int_value = static_cast<std::int64_t>(k);
    item->operands = {reduce};
    item->where = where;
    items.push_back(std::move(item));
  }
  return items;
}

Expr make_arg_reduce(Extreme extreme, Expr operand, std::vector<Axis> axes, SourceLoc where) {
  const std::string name = extreme == Extreme::Smallest ? "argmin" : "argmax";
  detail::require_reduce_axes(name, axes, where);
  if (operand->type == DType::Bool) operand = make_cast(operand, DType::Int8, where);
  operand = convert(operand, operand->type, where);
  Expr position = make_int(0, DType::Int64, false, where);
  for (const Axis& axis : axes) {
    const auto number = [&](const Expr& value, std::int64_t constant) {
      return value ? value : make_int(constant, DType::Int64, false, where);
    };
    const Expr begin = number(axis->begin_value, axis->begin);
    const Expr extent =
        axis->is_constant()
            ? number(nullptr, axis->extent())
            : make_binary(BinaryOp::Sub, number(axis->end_value, axis->end), begin, where);
    if (make_extent(extent, where).min <= 0) {
      throw DslError(
          {where, name + " of nothing",
           "axis '" + axis->name + "' " + (axis->is_constant() ? "has" : "may have") + " no values",
           "reduce over at least one value"});
    }
    Expr own = make_axis_ref(axis, where);
    if (axis->begin_value || axis->begin != 0) {
      own = make_binary(BinaryOp::Sub, own, begin, where);
    }
    if (&axis != &axes.front()) {
      position = make_binary(BinaryOp::Mul, position, extent, where);
      own = make_binary(BinaryOp::Add, position, own, where);
    }
    position = own;
  }
  const auto combiner = arg_combiner(extreme, operand->type, where);
  return make_reduce(combiner, {operand, position}, std::move(axes), where)[1];
}

}  // namespace solway::dsl
