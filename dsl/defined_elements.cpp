#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "dsl/affine.h"
#include "dsl/detail/guarded_reads.h"
#include "dsl/detail/make_stage.h"
#include "dsl/type_rules.h"
#include "support/error.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::dsl {

namespace {

void collect_reads(const Expr& expr, std::set<const ExprNode*>& seen, std::vector<Expr>& reads) {
  if (!seen.insert(expr.get()).second) return;
  if (expr->kind == ExprKind::Read) reads.push_back(expr);
  for (const Expr& operand : expr->operands) collect_reads(operand, seen, reads);
}

AffineScope scope_of(const TensorNode& stage) { return {stage.name, stage.axis, stage.domain}; }

/// Whether every element of a tensor has a value.
bool is_total(const Tensor& tensor) {
  return tensor->is_update() ? is_total(tensor->base) : tensor->domain == nullptr;
}

/// "i=0, j=3, n=5", with the axes that are `around` only.
std::string values_text(const AffineScope& scope, const std::vector<Axis>& around,
                        const std::vector<std::int64_t>& at, const isl_ext::ParamValues& sizes) {
  std::string out;
  for (std::size_t k = 0; k < scope.axes.size(); ++k) {
    if (std::find(around.begin(), around.end(), scope.axes[k]) == around.end()) continue;
    out += (out.empty() ? "" : ", ") + scope.axes[k]->name + "=" + std::to_string(at[k]);
  }
  for (const auto& [name, value] : sizes) {
    out += (out.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  }
  return out;
}

std::string element_text(const std::string& name, const std::vector<std::int64_t>& at) {
  std::string out;
  for (const std::int64_t x : at) out += (out.empty() ? "" : ", ") + std::to_string(x);
  return name + "[" + out + "]";
}

/// Checks that what a stage reads has a value by then.
class DefinedCheck {
 public:
  DefinedCheck(const isl::ctx& ctx, const TensorNode& stage)
      : ctx_(ctx), stage_(stage), scope_(scope_of(stage)) {
    scope_.axes.insert(scope_.axes.end(), stage.reduce_axis.begin(), stage.reduce_axis.end());
  }

  void run() {
    detail::for_each_read(ctx_, stage_.body, scope_, detail::NestedReductions::Enter,
                          [this](const detail::GuardedRead& read) { check(read); });
  }

 private:
  bool is_own(const Tensor& tensor) const { return tensor == stage_.self || tensor == stage_.base; }

  /// { tuple[axes, reduce axes] -> T[element] }: what earlier instances of the stage stored.
  const isl::union_map& stored_earlier() {
    if (!earlier_.is_null()) return earlier_;
    earlier_ = isl::union_map::empty(ctx_);
    if (stage_.axis.empty()) return earlier_;
    const AffineScope spatial{"step " + stage_.name, stage_.axis, stage_.domain};
    const isl::map stored =
        stored_element(ctx_, stage_, spatial).as_map().intersect_domain(domain_of(ctx_, spatial));
    isl::multi_pw_aff writer, reader;
    for (const Axis& axis : stage_.axis) {
      const auto append = [](isl::multi_pw_aff& all, const isl::pw_aff& one) {
        all = all.is_null() ? one.to_multi_pw_aff() : all.flat_range_product(one.to_multi_pw_aff());
      };
      append(writer, detail::value_of(ctx_, axis, spatial));
      append(reader, detail::value_of(ctx_, axis, scope_));
    }
    earlier_ = isl_ext::lex_lt(writer.as_map().to_union_map(), reader.as_map().to_union_map())
                   .reverse()
                   .apply_range(stored.to_union_map());
    return earlier_;
  }

  void check(const detail::GuardedRead& guarded) {
    const Tensor& tensor = guarded.read->tensor;
    if (tensor != stage_.self && is_total(tensor)) return;
    std::vector<Axis> around = stage_.axis;
    around.insert(around.end(), guarded.reduce.begin(), guarded.reduce.end());
    isl::set instances = detail::within_domain(guarded.guard, scope_)
                             .intersect_params(context_of(ctx_, sizes_of(stage_.body)))
                             .intersect_params(context_of(ctx_, sizes_of(tensor)));
    for (const Axis& axis : scope_.axes) {
      const bool is_around = std::find(around.begin(), around.end(), axis) != around.end();
      if (is_around) {
        instances = detail::within_range(instances, axis, scope_);
      } else {  // of another reduction: any value will do
        const isl::pw_aff value = detail::value_of(ctx_, axis, scope_);
        instances = instances.intersect(value.eq_set(value.scale(0)));
      }
    }
    const isl::union_map read =
        detail::read_map(ctx_, guarded.read, scope_).intersect_domain(instances).to_union_map();
    isl::union_map missing = read;
    if (tensor != stage_.self) {
      missing = missing.subtract_range(defined_elements(ctx_, tensor).to_union_set());
    }
    if (is_own(tensor)) missing = missing.subtract(stored_earlier());
    if (!missing.is_empty()) report(guarded, around, missing);
  }

  [[noreturn]] void report(const detail::GuardedRead& guarded, const std::vector<Axis>& around,
                           const isl::union_map& all_missing) const {
    const ExprNode& read = *guarded.read;
    const isl_ext::ParamValues sizes = isl_ext::smallest_params(all_missing);
    const isl::union_map missing = isl_ext::fix_params(all_missing, sizes);
    const isl::point at = missing.domain().lexmin().sample_point();
    const isl::point element = at.to_union_set().apply(missing).sample_point();
    const std::string text = to_string(guarded.read);
    const std::string values = values_text(scope_, around, isl_ext::coordinates(at), sizes);
    const std::string which = element_text(read.tensor->name, isl_ext::coordinates(element));
    const std::string reads = text + " reads " + which + (values.empty() ? "" : " at " + values);
    if (is_own(read.tensor)) {
      throw DslError({read.where, text + " reads what '" + stage_.name + "' has not stored yet",
                      reads + ", which no earlier step stores",
                      "read elements that come earlier in lexicographic order, or guard the read "
                      "with sw.select"});
    }
    throw DslError({read.where, text + " reads outside the domain of '" + read.tensor->name + "'",
                    reads + ", which the where= of '" + read.tensor->name + "' (" +
                        read.tensor->where.to_string() + ") leaves out",
                    "guard the read with sw.select, or restrict the stage that reads with where="});
  }

  const isl::ctx& ctx_;
  const TensorNode& stage_;
  AffineScope scope_;
  isl::union_map earlier_;
};

/// Throws for a step of an update that stores outside its tensor.
void require_stored_inside(const isl::ctx& ctx, const TensorNode& stage) {
  const AffineScope scope = scope_of(stage);
  const isl::set steps = domain_of(ctx, scope);
  for (std::size_t d = 0; d < stage.index.size(); ++d) {
    const std::optional<isl::pw_aff> index = try_affine(ctx, stage.index[d], scope);
    if (!index) {
      throw UnsupportedError(
          {stage.where, "update '" + stage.name + "' has an index that is not affine",
           "'" + to_string(stage.index[d]) + "' is not a sum of multiples of axes",
           "use sums of axes times constants, '//' and '%' by positive constants, minimum, "
           "maximum and select of such"});
    }
    const isl::pw_aff zero = index->scale(0);
    const Extent extent = stage.extent(d);
    isl::set outside = index->lt_set(zero)
                           .unite(index->ge_set(detail::value_of(ctx, extent, scope)))
                           .intersect(steps)
                           .intersect_params(context_of(ctx, sizes_of(stage.index[d])));
    if (!extent.is_constant()) {
      outside = outside.intersect_params(context_of(ctx, sizes_of(extent.value)));
    }
    if (outside.is_empty()) continue;
    const isl_ext::ParamValues values = isl_ext::smallest_params(outside);
    const isl::point at = isl_ext::fix_params(outside, values).lexmin().sample_point();
    const isl::point stored = at.to_set().apply(index->as_map()).sample_point();
    const std::string step = values_text(scope, scope.axes, isl_ext::coordinates(at), values);
    throw DslError({stage.where,
                    "update '" + stage.name + "' stores outside '" + stage.base->name + "'",
                    "index " + std::to_string(d) + ", " + to_string(stage.index[d]) + ", is " +
                        std::to_string(isl_ext::coordinates(stored)[0]) + " of " +
                        to_string(extent) + (step.empty() ? "" : " at " + step),
                    "restrict the steps with where=, or give a smaller box"});
  }
}

}  // namespace

isl::multi_pw_aff stored_element(const isl::ctx& ctx, const TensorNode& stage,
                                 const AffineScope& scope) {
  isl::multi_pw_aff out;
  const auto add = [&](const isl::pw_aff& value) {
    const isl::multi_pw_aff one = value.to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  };
  if (stage.is_update()) {
    for (const Expr& index : stage.index) add(*try_affine(ctx, index, scope));
  } else {
    for (const Axis& axis : stage.axis) add(detail::value_of(ctx, axis, scope));
  }
  if (!out.is_null()) return out.set_range_tuple(stage.storage_name());
  const isl::space space = detail::universe_of(ctx, scope).space();
  return isl::multi_pw_aff::zero(space.add_named_tuple(isl::id(ctx, stage.storage_name()), 0));
}

isl::set defined_elements(const isl::ctx& ctx, const Tensor& tensor) {
  if (is_total(tensor)) return extent_of(ctx, tensor);
  const AffineScope scope = scope_of(*tensor);
  const isl::set stored =
      stored_element(ctx, *tensor, scope).as_map().intersect_domain(domain_of(ctx, scope)).range();
  if (!tensor->is_update()) return stored;
  return stored.unite(defined_elements(ctx, tensor->base)).coalesce();
}

namespace detail {

void require_present_contents(const TensorNode& stage) {
  const auto require = [&](const Tensor& tensor, const Expr& read) {
    const Tensor update = tensor->updated_by.lock();
    if (!update) return;
    const std::string text = read ? to_string(read) + " reads" : "'" + stage.name + "' changes";
    throw DslError({read ? read->where : stage.where,
                    text + " '" + tensor->name + "' after an update took its place",
                    "'" + update->name + "' at " + update->where.to_string() +
                        " changed it in place; stages run in the order of their definition",
                    "use '" + update->name + "' instead of '" + tensor->name + "'"});
  };
  if (stage.base) require(stage.base, nullptr);
  std::vector<Expr> reads;
  std::set<const ExprNode*> seen;
  collect_reads(stage.body, seen, reads);
  for (const Expr& read : reads) require(read->tensor, read);
}

void require_affine_domain(const isl::ctx& ctx, const TensorNode& stage) {
  if (!stage.domain) return;
  if (stage.domain->type != DType::Bool) {
    throw DslError(
        {stage.where, "where= of '" + stage.name + "' is no condition",
         "'" + to_string(stage.domain) + "' is " + std::string(to_string(stage.domain->type)),
         "return a comparison of the axes, such as j <= i"});
  }
  if (try_condition(ctx, stage.domain, {stage.name, stage.axis})) return;
  throw UnsupportedError(
      {stage.where, "where= of '" + stage.name + "' is not affine",
       "'" + to_string(stage.domain) + "' is not made of comparisons of sums of multiples of axes",
       "use comparisons of affine expressions, sw.all_of and sw.any_of; choose "
       "by data with sw.select in the value"});
}

void require_defined_elements(const isl::ctx& ctx, const TensorNode& stage) {
  try {
    const IslBudget budget(ctx, kOrderBudget);
    if (stage.is_update()) require_stored_inside(ctx, stage);
    DefinedCheck(ctx, stage).run();
  } catch (const isl::exception_quota&) {
    throw AnalysisBudgetError(
        {stage.where, "the reads of '" + stage.name + "' could not be proved defined",
         "the analysis gave up after " + std::to_string(kOrderBudget) + " operations",
         "split the expression into several stages"});
  }
}

Expr stored_as(const Expr& value, DType type, const std::string& name, const SourceLoc& where) {
  if (value->weak || value->type == type) return convert(value, type, where);
  const auto kind = [](DType t) { return t == DType::Bool ? 0 : is_float(t) ? 2 : 1; };
  if (kind(value->type) <= kind(type)) return make_cast(value, type, where);
  throw DslError({where, "'" + name + "' cannot hold its value",
                  "the value is " + std::string(to_string(value->type)) + ", '" + name +
                      "' holds " + std::string(to_string(type)),
                  "convert it: sw.cast(value, '" + std::string(to_string(type)) + "')"});
}

}  // namespace detail

}  // namespace solway::dsl
