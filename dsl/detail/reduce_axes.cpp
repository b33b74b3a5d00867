#include "dsl/detail/reduce_axes.h"

#include <algorithm>

#include "support/error.h"

namespace solway::dsl::detail {

void require_reduce_axes(const std::string& reduction, const std::vector<Axis>& axes,
                         const SourceLoc& where) {
  const std::string what = reduction + " needs axes to reduce over";
  if (axes.empty()) {
    throw DslError({where, what, "axis= names none", "pass axis=k with k = sw.reduce_axis(...)"});
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i]->kind != AxisKind::Reduce) {
      throw DslError({where, what, "'" + axes[i]->name + "' is an axis of the output",
                      "make the axis with sw.reduce_axis(...)"});
    }
    if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) !=
        axes.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw DslError(
          {where, what, "'" + axes[i]->name + "' is named twice", "name each reduction axis once"});
    }
  }
}

}  // namespace solway::dsl::detail
