#include "support/isl_points.h"

#include <cstddef>

#include <isl/point.h>

namespace solway::isl_ext {

std::vector<std::vector<std::int64_t>> points_in(
    const isl::set& set, const std::vector<std::vector<std::int64_t>>& points) {
  std::vector<std::vector<std::int64_t>> out;
  const isl::pw_aff is_inside = set.indicator_function();
  for (const std::vector<std::int64_t>& coordinates : points) {
    isl_point* point = isl_point_zero(isl_set_get_space(set.get()));
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      point = isl_point_set_coordinate_val(point, isl_dim_set, static_cast<int>(k),
                                           isl_val_int_from_si(set.ctx().get(), coordinates[k]));
    }
    if (point == nullptr) isl::exception::throw_last_error(set.ctx());
    if (is_inside.eval(isl::manage(point)).is_one()) out.push_back(coordinates);
  }
  return out;
}

}  // namespace solway::isl_ext
