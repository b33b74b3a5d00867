#include "dsl/size.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dsl/affine.h"
#include "dsl/detail/identifier.h"
#include "support/error.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::dsl {
namespace {

void collect(const Expr& expr, std::set<const ExprNode*>& seen, std::vector<Size>& out) {
  if (!seen.insert(expr.get()).second) return;
  if (expr->size && std::find(out.begin(), out.end(), expr->size) == out.end()) {
    out.push_back(expr->size);
  }
  for (const Expr& operand : expr->operands) collect(operand, seen, out);
}

/// A node that is no part of an extent: an axis, a read, a reduction; null when there is none.
const ExprNode* foreign_node(const Expr& expr) {
  const bool is_foreign = expr->kind == ExprKind::AxisRef || expr->kind == ExprKind::Read ||
                          expr->kind == ExprKind::Reduce;
  if (is_foreign) return expr.get();
  for (const Expr& operand : expr->operands) {
    if (const ExprNode* found = foreign_node(operand)) return found;
  }
  return nullptr;
}

}  // namespace

Size make_size(std::string name, std::int64_t min, std::int64_t max, SourceLoc where) {
  detail::require_identifier("size", name, where);
  if (min < 0 || max < min) {
    throw DslError({std::move(where), "size '" + name + "' has no values",
                    "it runs from " + std::to_string(min) + " to " + std::to_string(max),
                    "give bounds with 0 <= min <= max"});
  }
  auto size = std::make_shared<SizeNode>();
  size->name = std::move(name);
  size->min = min;
  size->max = max;
  size->where = std::move(where);
  return size;
}

Extent make_extent(const Expr& value, const SourceLoc& where) {
  if (value->kind == ExprKind::Int) return {value->int_value};
  const std::string text = to_string(value);
  if (foreign_node(value) != nullptr) {
    throw DslError({where, "'" + text + "' is no extent",
                    "it depends on more than constants and sizes",
                    "use constants and sw.size(...), added and multiplied by constants"});
  }
  const IslContext isl;
  const AffineScope scope{"extent", {}};
  const std::optional<isl::pw_aff> affine = try_affine(isl.get(), value, scope);
  if (!affine) {
    if (is_float(value->type)) {
      throw DslError({where, "the extent '" + text + "' is no integer",
                      "its type is '" + std::string(to_string(value->type)) + "'",
                      "use '//' for integer division"});
    }
    throw UnsupportedError({where, "the extent '" + text + "' is not affine",
                            "sizes are added, and multiplied or divided by constants; products of "
                            "sizes are not supported",
                            "give the product a size of its own: sw.size(...)"});
  }
  const isl::set values =
      affine->as_map().intersect_params(context_of(isl.get(), sizes_of(value))).range();
  Extent out(isl_ext::try_dim_max(values, 0).value_or(0));
  out.min = isl_ext::try_dim_min(values, 0).value_or(0);
  out.value = value;
  return out;
}

std::string to_string(const Extent& extent) {
  return extent.is_constant() ? std::to_string(extent.max) : to_string(extent.value);
}

std::vector<Size> sizes_of(const Expr& expr) {
  std::vector<Size> out;
  std::set<const ExprNode*> seen;
  collect(expr, seen, out);
  return out;
}

}  // namespace solway::dsl
