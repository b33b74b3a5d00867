#include "dsl/detail/guarded_reads.h"

#include <set>
#include <string>
#include <utility>

#include "dsl/tensor.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::dsl::detail {

namespace {

class ReadVisitor {
 public:
  ReadVisitor(const isl::ctx& ctx, const AffineScope& scope, NestedReductions nested,
              const std::function<void(const GuardedRead&)>& visit)
      : ctx_(ctx), scope_(scope), nested_(nested), visit_(visit) {}

  /// Called for reductions that are not inside others.
  std::function<void(const Expr& reduce, const isl::set& guard)> visit_reduce;

  void run(const Expr& expr) {
    std::set<const ExprNode*> seen;
    walk(expr, {universe_of(ctx_, scope_), {}, &seen});
  }

 private:
  /// What holds where an expression is evaluated, and the nodes already met there: expressions
  /// share nodes, and walking them as trees takes exponential time.
  struct Place {
    isl::set guard;
    std::vector<Axis> reduce;
    std::set<const ExprNode*>* seen;
  };

  void walk(const Expr& expr, const Place& place) {
    if (!place.seen->insert(expr.get()).second) return;
    if (expr->kind == ExprKind::Select) return walk_select(expr, place);
    if (expr->kind == ExprKind::Reduce) return walk_reduce(expr, place);
    if (expr->kind == ExprKind::Read) visit_({expr, place.guard, place.reduce});
    for (const Expr& operand : expr->operands) walk(operand, place);
  }

  void walk_select(const Expr& expr, const Place& place) {
    const Expr& condition = expr->operands[0];
    walk(condition, place);
    walk_side(expr->operands[1], condition, true, place);
    walk_side(expr->operands[2], condition, false, place);
  }

  void walk_side(const Expr& side, const Expr& condition, bool truth, const Place& place) {
    const isl::set guard =
        place.guard.intersect(possible_instances(ctx_, condition, truth, scope_));
    if (guard.is_equal(place.guard)) return walk(side, place);
    std::set<const ExprNode*> seen;
    walk(side, {guard, place.reduce, &seen});
  }

  void walk_reduce(const Expr& expr, const Place& place) {
    if (visit_reduce) visit_reduce(expr, place.guard);
    if (nested_ == NestedReductions::Skip) return;
    std::set<const ExprNode*> seen;
    Place inner{place.guard, place.reduce, &seen};
    inner.reduce.insert(inner.reduce.end(), expr->axes.begin(), expr->axes.end());
    for (const Expr& operand : expr->operands) walk(operand, inner);
  }

  const isl::ctx& ctx_;
  const AffineScope& scope_;
  NestedReductions nested_;
  const std::function<void(const GuardedRead&)>& visit_;
};

bool has_read(const Expr& expr) {
  if (expr->kind == ExprKind::Read) return true;
  for (const Expr& operand : expr->operands) {
    if (has_read(operand)) return true;
  }
  return false;
}

}  // namespace

void for_each_read(const isl::ctx& ctx, const Expr& expr, const AffineScope& scope,
                   NestedReductions nested, const std::function<void(const GuardedRead&)>& visit) {
  ReadVisitor(ctx, scope, nested, visit).run(expr);
}

void for_each_reduction(
    const isl::ctx& ctx, const Expr& expr, const AffineScope& scope,
    const std::function<void(const Expr& reduce, const isl::set& guard)>& visit) {
  const std::function<void(const GuardedRead&)> ignore = [](const GuardedRead&) {};
  ReadVisitor visitor(ctx, scope, NestedReductions::Skip, ignore);
  visitor.visit_reduce = visit;
  visitor.run(expr);
}

std::vector<IndexRange> index_ranges(const isl::ctx& ctx, const Expr& read,
                                     const AffineScope& scope) {
  std::vector<IndexRange> ranges;
  for (const Expr& index : read->operands) {
    if (index->kind == ExprKind::Bounded) {
      const isl::pw_aff begin = *try_affine(ctx, index->operands[1], scope);
      const isl::pw_aff end = *try_affine(ctx, index->operands[2], scope);
      ranges.push_back({begin, end.add_constant(isl::val(ctx, -1L)), false});
      continue;
    }
    const std::optional<isl::pw_aff> value = try_affine(ctx, index, scope);
    if (!value) {
      const bool data = has_read(index);
      throw UnsupportedError(
          {read->where, to_string(read) + " has an index that is not affine",
           "'" + to_string(index) + "' " +
               (data ? "depends on data" : "is not a sum of multiples of axes"),
           data ? "promise its range: sw.bounded(" + to_string(index) + ", 0, n)"
                : "use sums of axes times constants, '//' and '%' by positive constants, minimum, "
                  "maximum and select of such"});
    }
    ranges.push_back({*value, *value, true});
  }
  return ranges;
}

isl::map read_map(const isl::ctx& ctx, const Expr& read, const AffineScope& scope) {
  const isl::space instance = universe_of(ctx, scope).space();
  const std::string& array = read->tensor->storage_name();
  isl::map out;
  for (const IndexRange& index : index_ranges(ctx, read, scope)) {
    isl::map one = index.first.as_map();
    if (!index.is_exact) {
      const isl::map order = isl_ext::lex_le(one.range().space());  // { [a] -> [b] : a <= b }
      one = one.apply_range(order).intersect(index.last.as_map().apply_range(order.reverse()));
    }
    out = out.is_null() ? one : isl_ext::flat_range_product(out, one);
  }
  if (out.is_null()) {
    const isl::space space = instance.add_named_tuple(isl::id(ctx, array), 0);
    return isl::multi_pw_aff::zero(space).as_map();
  }
  return isl_ext::with_tuple_name(out, isl_ext::Dim::Range, array);
}

}  // namespace solway::dsl::detail
