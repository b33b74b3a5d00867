#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "dsl/affine.h"
#include "dsl/detail/guarded_reads.h"
#include "support/error.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::dsl {

namespace {

void collect_reduce_axes(const Expr& expr, std::set<const ExprNode*>& seen,
                         std::vector<Axis>& axes) {
  if (!seen.insert(expr.get()).second) return;
  for (const Axis& axis : expr->axes) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  for (const Expr& operand : expr->operands) collect_reduce_axes(operand, seen, axes);
}

/// What to write in place of an index that is a number outside of its dimension.
std::string element_instead(const ExprNode& read, std::size_t dimension) {
  const Extent& extent = read.tensor->extent(dimension);
  const std::int64_t index = read.operands[dimension]->int_value;
  const auto element_at = [&](const std::string& place) {
    std::string text = read.tensor->name + "[";
    for (std::size_t d = 0; d < read.operands.size(); ++d) {
      text += (d == 0 ? "" : ", ") + (d == dimension ? place : to_string(read.operands[d]));
    }
    return text + "]";
  };
  if (index < 0 && (!extent.is_constant() || index >= -extent.max)) {
    return "count from the first element: " +
           element_at(extent.is_constant() ? std::to_string(index + extent.max)
                                           : to_string(extent) + " - " + std::to_string(-index));
  }
  if (!extent.is_constant()) {
    return "keep the index below " + to_string(extent) + ", or give that a larger min=";
  }
  if (extent.max == 0) return "leave the read out: the dimension has no elements";
  return "write an index from 0 to " + std::to_string(extent.max - 1);
}

/// Checks the reads of one expression over the scope's axes and those of its reductions.
class BoundsCheck {
 public:
  BoundsCheck(const isl::ctx& ctx, const Expr& expr, AffineScope scope)
      : ctx_(ctx), expr_(expr), outer_(scope.axes.size()), scope_(std::move(scope)) {
    std::set<const ExprNode*> seen;
    collect_reduce_axes(expr, seen, scope_.axes);
  }

  void run() const {
    detail::for_each_read(ctx_, expr_, scope_, detail::NestedReductions::Enter,
                          [this](const detail::GuardedRead& read) { check(read); });
  }

 private:
  /// The axes around a read: the scope's, then those of the reductions that hold it.
  std::vector<Axis> axes_around(const detail::GuardedRead& guarded) const {
    std::vector<Axis> axes(scope_.axes.begin(),
                           scope_.axes.begin() + static_cast<std::ptrdiff_t>(outer_));
    axes.insert(axes.end(), guarded.reduce.begin(), guarded.reduce.end());
    return axes;
  }

  isl::pw_aff number(std::int64_t value) const {
    return detail::universe_of(ctx_, scope_).pw_aff_on_domain(isl::val(ctx_, value));
  }

  void check(const detail::GuardedRead& guarded) const {
    const Tensor& tensor = guarded.read->tensor;
    isl::set instances = detail::within_domain(guarded.guard, scope_)
                             .intersect_params(context_of(ctx_, sizes_of(expr_)))
                             .intersect_params(context_of(ctx_, sizes_of(tensor)));
    for (const Axis& axis : axes_around(guarded)) {
      instances = detail::within_range(instances, axis, scope_);
    }
    const std::vector<detail::IndexRange> indices =
        detail::index_ranges(ctx_, guarded.read, scope_);
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const isl::set below = indices[d].first.lt_set(number(0)).intersect(instances);
      const isl::set above = indices[d]
                                 .last.ge_set(detail::value_of(ctx_, tensor->extent(d), scope_))
                                 .intersect(instances);
      if (below.is_empty() && above.is_empty()) continue;
      const bool is_one = indices[d].is_exact;
      const isl::set outside = is_one || above.is_empty() ? below.unite(above) : above;
      report(guarded, d, above.is_empty() ? indices[d].first : indices[d].last, outside);
    }
  }

  [[noreturn]] void report(const detail::GuardedRead& guarded, std::size_t dimension,
                           const isl::pw_aff& index, isl::set outside) const {
    const std::vector<Axis> around = axes_around(guarded);
    for (const Axis& axis : scope_.axes) {
      if (std::find(around.begin(), around.end(), axis) == around.end()) {
        outside = outside.intersect(detail::value_of(ctx_, axis, scope_).eq_set(number(0)));
      }
    }
    const isl_ext::ParamValues sizes = isl_ext::smallest_params(outside);
    const isl::point first = isl_ext::fix_params(outside, sizes).lexmin().sample_point();
    const isl::point element = first.to_set().apply(index.as_map()).sample_point();
    const isl::multi_val values = first.multi_val();
    std::string at;
    for (std::size_t k = 0; k < scope_.axes.size(); ++k) {
      const Axis& axis = scope_.axes[k];
      if (std::find(around.begin(), around.end(), axis) == around.end()) continue;
      at += (at.empty() ? " at " : ", ") + axis->name + "=" +
            std::to_string(values.at(static_cast<int>(k)).num_si());
    }
    for (const auto& [name, value] : sizes) {
      at += (at.empty() ? " with " : ", ") + name + "=" + std::to_string(value);
    }
    const ExprNode& read = *guarded.read;
    const std::string text = to_string(guarded.read);
    const std::string extent = to_string(read.tensor->extent(dimension));
    const std::string in_dimension =
        read.operands.size() > 1 ? " in dimension " + std::to_string(dimension) : "";
    const Expr& own = read.operands[dimension];
    const std::string index_text = to_string(own);
    const bool is_promise = own->kind == ExprKind::Bounded;
    const std::string fix = is_promise ? "promise no more than the tensor has: sw.bounded(" +
                                             to_string(own->operands[0]) + ", 0, " + extent + ")"
                            : own->kind == ExprKind::Int
                                ? element_instead(read, dimension)
                                : "guard it: sw.select(sw.all_of(0 <= " + index_text + ", " +
                                      index_text + " < " + extent + "), " + text + ", 0)";
    throw DslError({read.where, text + " reads outside '" + read.tensor->name + "'",
                    text + (is_promise ? " may read element " : " reads element ") +
                        std::to_string(isl_ext::coordinates(element)[0]) + " of " + extent +
                        in_dimension + at,
                    fix});
  }

  const isl::ctx& ctx_;
  const Expr& expr_;
  std::size_t outer_;  ///< how many axes of the scope are not of reductions inside `expr`
  AffineScope scope_;
};

}  // namespace

void require_in_bounds(const isl::ctx& ctx, const Expr& expr, const AffineScope& scope) {
  try {
    const IslBudget budget(ctx, kOrderBudget);
    BoundsCheck(ctx, expr, scope).run();
  } catch (const isl::exception_quota&) {
    throw AnalysisBudgetError(
        {expr->where, "the reads of '" + scope.tuple + "' could not be proved in bounds",
         "the analysis gave up after " + std::to_string(kOrderBudget) + " operations",
         "split the expression into several computes"});
  }
}

}  // namespace solway::dsl
