#include "dsl/affine.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dsl/detail/guarded_reads.h"
#include "support/error.h"

namespace solway::dsl {

namespace {

isl::space space_of(const isl::ctx& ctx, const AffineScope& scope) {
  return isl::space::unit(ctx).add_named_tuple(scope.tuple,
                                               static_cast<unsigned>(scope.axes.size()));
}

isl::pw_aff constant(const isl::ctx& ctx, std::int64_t value, const AffineScope& scope) {
  return space_of(ctx, scope).zero_aff_on_domain().add_constant(isl::val(ctx, value));
}

/// The value of a function that is the same number everywhere.
std::optional<isl::val> try_constant(const isl::pw_aff& f) {
  if (!f.isa_aff() || !f.as_aff().is_cst()) return std::nullopt;
  return f.as_aff().constant_val();
}

/// Expressions as isl functions and sets, over the axes of one scope.
class AffineView {
 public:
  AffineView(const isl::ctx& ctx, const AffineScope& scope) : ctx_(ctx), scope_(scope) {}

  std::optional<isl::pw_aff> value(const Expr& e) const {
    switch (e->kind) {
      case ExprKind::Int:
        return constant(ctx_, e->int_value, scope_);
      case ExprKind::SizeRef:
        return space_of(ctx_, scope_).add_param(e->size->name).param_aff_on_domain(e->size->name);
      case ExprKind::AxisRef:
        return detail::value_of(ctx_, e->axis, scope_);
      case ExprKind::Unary:
        return unary(*e);
      case ExprKind::Binary:
        return binary(*e);
      case ExprKind::Select:
        return select(*e);
      case ExprKind::Cast:
        return cast(*e);
      case ExprKind::Float:
      case ExprKind::Read:
      case ExprKind::Reduce:
      case ExprKind::Item:
      case ExprKind::Param:
      case ExprKind::Bounded:
        return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<isl::set> condition(const Expr& e) const {
    if (e->type != DType::Bool) return std::nullopt;
    if (e->kind == ExprKind::Int) {
      const isl::set all = detail::universe_of(ctx_, scope_);
      return e->int_value != 0 ? all : all.complement();
    }
    if (e->kind == ExprKind::Unary && e->unary == UnaryOp::Not) {
      const auto operand = condition(e->operands[0]);
      return operand ? std::optional(operand->complement()) : std::nullopt;
    }
    if (e->kind == ExprKind::Select) return select_condition(*e);
    if (e->kind != ExprKind::Binary) return std::nullopt;
    if (is_comparison(e->binary) && e->operands[0]->type != DType::Bool) return comparison(*e);
    return connective(*e);
  }

 private:
  /// Only int64 arithmetic: a narrower type may wrap, which is not affine.
  std::optional<isl::pw_aff> unary(const ExprNode& e) const {
    if (e.type != DType::Int64) return std::nullopt;
    const auto a = value(e.operands[0]);
    if (!a) return std::nullopt;
    if (e.unary == UnaryOp::Neg) return a->neg();
    if (e.unary == UnaryOp::Abs) return a->max(a->neg());
    return std::nullopt;
  }

  std::optional<isl::pw_aff> binary(const ExprNode& e) const {
    if (e.type != DType::Int64) return std::nullopt;
    const auto a = value(e.operands[0]);
    if (!a) return std::nullopt;
    const auto b = value(e.operands[1]);
    if (!b) return std::nullopt;
    if (e.binary == BinaryOp::Add) return a->add(*b);
    if (e.binary == BinaryOp::Sub) return a->sub(*b);
    if (e.binary == BinaryOp::Min) return a->min(*b);
    if (e.binary == BinaryOp::Max) return a->max(*b);
    if (e.binary == BinaryOp::Mul) {
      if (!try_constant(*a) && !try_constant(*b)) return std::nullopt;
      return a->mul(*b);
    }
    const auto divisor = try_constant(*b);
    if (!divisor || divisor->sgn() <= 0) return std::nullopt;
    if (e.binary == BinaryOp::FloorDiv) return a->scale_down(*divisor).floor();
    if (e.binary == BinaryOp::Mod) return a->mod(*divisor);
    return std::nullopt;
  }

  std::optional<isl::pw_aff> select(const ExprNode& e) const {
    const auto chosen = condition(e.operands[0]);
    if (!chosen) return std::nullopt;
    const auto a = value(e.operands[1]);
    const auto b = value(e.operands[2]);
    if (!a || !b) return std::nullopt;
    return chosen->indicator_function().cond(*a, *b);
  }

  std::optional<isl::pw_aff> cast(const ExprNode& e) const {
    const Expr& operand = e.operands[0];
    const bool widens = is_integer(e.type) && size_bytes(e.type) >= size_bytes(operand->type);
    if (!widens) return std::nullopt;
    if (operand->type != DType::Bool) return value(operand);
    const auto holds = condition(operand);
    return holds ? std::optional(holds->indicator_function()) : std::nullopt;
  }

  std::optional<isl::set> comparison(const ExprNode& e) const {
    const auto a = value(e.operands[0]);
    if (!a) return std::nullopt;
    const auto b = value(e.operands[1]);
    if (!b) return std::nullopt;
    if (e.binary == BinaryOp::Lt) return a->lt_set(*b);
    if (e.binary == BinaryOp::Le) return a->le_set(*b);
    if (e.binary == BinaryOp::Gt) return a->gt_set(*b);
    if (e.binary == BinaryOp::Ge) return a->ge_set(*b);
    return e.binary == BinaryOp::Eq ? a->eq_set(*b) : a->ne_set(*b);
  }

  /// And, Or and the comparisons of two conditions.
  std::optional<isl::set> connective(const ExprNode& e) const {
    const auto a = condition(e.operands[0]);
    if (!a) return std::nullopt;
    const auto b = condition(e.operands[1]);
    if (!b) return std::nullopt;
    if (e.binary == BinaryOp::And) return a->intersect(*b);
    if (e.binary == BinaryOp::Or) return a->unite(*b);
    const isl::set equal = a->intersect(*b).unite(a->complement().subtract(*b));
    if (e.binary == BinaryOp::Eq) return equal;
    if (e.binary == BinaryOp::Ne) return equal.complement();
    return std::nullopt;
  }

  std::optional<isl::set> select_condition(const ExprNode& e) const {
    const auto chosen = condition(e.operands[0]);
    if (!chosen) return std::nullopt;
    const auto a = condition(e.operands[1]);
    const auto b = condition(e.operands[2]);
    if (!a || !b) return std::nullopt;
    return chosen->intersect(*a).unite(b->subtract(*chosen));
  }

  const isl::ctx& ctx_;
  const AffineScope& scope_;
};

}  // namespace

namespace detail {

isl::set universe_of(const isl::ctx& ctx, const AffineScope& scope) {
  return space_of(ctx, scope).zero_aff_on_domain().domain();
}

isl::pw_aff value_of(const isl::ctx& ctx, const Axis& axis, const AffineScope& scope) {
  const auto found = std::find(scope.axes.begin(), scope.axes.end(), axis);
  if (found == scope.axes.end()) {
    throw InternalError({axis->where,
                         "axis '" + axis->name + "' is not in scope of '" + scope.tuple + "'", "",
                         ""});
  }
  const auto position = static_cast<int>(found - scope.axes.begin());
  return space_of(ctx, scope).identity_multi_aff_on_domain().at(position);
}

isl::pw_aff value_of(const isl::ctx& ctx, const Extent& extent, const AffineScope& scope) {
  if (extent.is_constant()) return constant(ctx, extent.max, scope);
  return *AffineView(ctx, scope).value(extent.value);
}

isl::set within_range(const isl::set& set, const Axis& axis, const AffineScope& scope) {
  const isl::ctx ctx = set.ctx();
  const isl::pw_aff value = value_of(ctx, axis, scope);
  const isl::set out = set.intersect(value.ge_set(value_of(ctx, begin_of(axis), scope)))
                           .intersect(value.lt_set(value_of(ctx, end_of(axis), scope)));
  if (axis->is_constant()) return out;
  return out.intersect_params(context_of(ctx, sizes_of(axis)));
}

isl::set within_domain(const isl::set& set, const AffineScope& scope) {
  if (!scope.where) return set;
  const std::optional<isl::set> inside = try_condition(set.ctx(), scope.where, scope);
  const isl::set context = context_of(set.ctx(), sizes_of(scope.where));
  if (inside) return set.intersect(*inside).intersect_params(context).coalesce();
  throw InternalError(
      {scope.where->where, "the domain of '" + scope.tuple + "' is not affine", "", ""});
}

isl::set possible_instances(const isl::ctx& ctx, const Expr& condition, bool truth,
                            const AffineScope& scope) {
  if (const auto exact = try_condition(ctx, condition, scope)) {
    return truth ? *exact : exact->complement();
  }
  const ExprNode& e = *condition;
  if (e.kind == ExprKind::Unary && e.unary == UnaryOp::Not) {
    return possible_instances(ctx, e.operands[0], !truth, scope);
  }
  const bool connects =
      e.kind == ExprKind::Binary && (e.binary == BinaryOp::And || e.binary == BinaryOp::Or);
  if (!connects) return universe_of(ctx, scope);
  const isl::set a = possible_instances(ctx, e.operands[0], truth, scope);
  const isl::set b = possible_instances(ctx, e.operands[1], truth, scope);
  const bool both_hold = (e.binary == BinaryOp::And) == truth;
  return both_hold ? a.intersect(b) : a.unite(b);
}

}  // namespace detail

std::vector<Size> sizes_of(const Axis& axis) {
  std::vector<Size> out;
  if (axis->begin_value) out = sizes_of(axis->begin_value);
  if (!axis->end_value) return out;
  for (const Size& size : sizes_of(axis->end_value)) {
    if (std::find(out.begin(), out.end(), size) == out.end()) out.push_back(size);
  }
  return out;
}

isl::set context_of(const isl::ctx& ctx, const std::vector<Size>& sizes) {
  isl::set out = isl::set::universe(isl::space::unit(ctx));
  for (const Size& size : sizes) {
    const isl::pw_aff value =
        isl::space::unit(ctx).add_param(size->name).param_aff_on_domain(size->name);
    const auto number = [&](std::int64_t n) {
      return isl::space::unit(ctx).zero_aff_on_domain().add_constant(isl::val(ctx, n));
    };
    out = out.intersect(value.ge_set(number(size->min))).intersect(value.le_set(number(size->max)));
  }
  return out.params();
}

isl::set domain_of(const isl::ctx& ctx, const AffineScope& scope) {
  isl::set domain = detail::universe_of(ctx, scope);
  for (const Axis& axis : scope.axes) domain = detail::within_range(domain, axis, scope);
  return detail::within_domain(domain, scope);
}

std::optional<isl::pw_aff> try_affine(const isl::ctx& ctx, const Expr& expr,
                                      const AffineScope& scope) {
  if (!is_integer(expr->type)) return std::nullopt;
  return AffineView(ctx, scope).value(expr);
}

std::optional<isl::set> try_condition(const isl::ctx& ctx, const Expr& condition,
                                      const AffineScope& scope) {
  return AffineView(ctx, scope).condition(condition);
}

std::vector<Access> reads_of(const isl::ctx& ctx, const Expr& expr, const AffineScope& scope) {
  std::vector<Access> accesses;
  std::map<const ExprNode*, std::size_t> position_of;
  const isl::set domain = domain_of(ctx, scope);
  const auto visit = [&](const detail::GuardedRead& guarded) {
    const Expr& read = guarded.read;
    const isl::map relation =
        detail::read_map(ctx, read, scope).intersect_domain(domain.intersect(guarded.guard));
    const auto [slot, is_new] = position_of.emplace(read.get(), accesses.size());
    if (is_new) {
      const auto is_exact = [](const Expr& index) { return index->kind != ExprKind::Bounded; };
      accesses.push_back({read, relation.coalesce(),
                          std::all_of(read->operands.begin(), read->operands.end(), is_exact)});
    } else {
      isl::map& known = accesses[slot->second].relation;
      known = known.unite(relation).coalesce();
    }
  };
  detail::for_each_read(ctx, expr, scope, detail::NestedReductions::Skip, visit);
  return accesses;
}

std::map<Expr, isl::set> reductions_of(const isl::ctx& ctx, const Expr& expr,
                                       const AffineScope& scope) {
  std::map<Expr, isl::set> out;
  const isl::set domain = domain_of(ctx, scope);
  detail::for_each_reduction(ctx, expr, scope, [&](const Expr& reduce, const isl::set& guard) {
    const isl::set needed = domain.intersect(guard);
    const auto [at, is_new] = out.emplace(reduce, needed);
    if (!is_new) at->second = at->second.unite(needed).coalesce();
  });
  return out;
}

isl::set extent_of(const isl::ctx& ctx, const Tensor& tensor) {
  AffineScope scope{tensor->storage_name(), {}};
  for (std::size_t d = 0; d < tensor->shape.size(); ++d) {
    scope.axes.push_back(make_axis("d", AxisKind::Spatial, 0, tensor->extent(d), tensor->where));
  }
  return domain_of(ctx, scope);
}

}  // namespace solway::dsl
