#include "python/bindings/region_item.h"

#include <algorithm>

#include "support/error.h"

namespace solway::python {
namespace {

void collect_axes(const dsl::Expr& expr, std::vector<dsl::Axis>& out) {
  if (expr->axis && std::find(out.begin(), out.end(), expr->axis) == out.end()) {
    out.push_back(expr->axis);
  }
  for (const dsl::Expr& operand : expr->operands) collect_axes(operand, out);
}

}  // namespace

schedule::RegionItem region_item(const PyExpr& expr, const AxisLoops& loops,
                                 const SourceLoc& where) {
  schedule::RegionItem out;
  out.index = expr.node;
  std::vector<dsl::Axis> axes;
  collect_axes(expr.node, axes);
  for (const dsl::Axis& axis : axes) {
    const auto at = std::find_if(loops.begin(), loops.end(),
                                 [&](const auto& pair) { return pair.first.node == axis; });
    if (at == loops.end()) {
      throw ScheduleArgumentError({where, "'" + axis->name + "' is no axis of this schedule",
                                   "it is defined at " + axis->where.to_string(),
                                   "use the axes of the stage, or the loops that primitives "
                                   "returned"});
    }
    out.axes.emplace_back(axis, at->second);
  }
  return out;
}

}  // namespace solway::python
