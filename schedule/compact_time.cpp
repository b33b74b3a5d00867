#include "schedule/compact_time.h"

#include <vector>

#include "support/isl_ext.h"

namespace solway::schedule {

isl::union_map compact_time(const isl::union_map& time) {
  using isl_ext::Dim;
  const std::vector<isl::map> maps = isl_ext::sorted_maps(time);
  if (maps.empty()) return time;
  std::vector<isl::multi_val> fixed;
  fixed.reserve(maps.size());
  for (const isl::map& map : maps) fixed.push_back(map.wrap().plain_multi_val_if_fixed());
  const int width = isl_ext::dim_count(maps[0], Dim::Range);
  const auto value = [&](std::size_t k, int column) {
    return fixed[k].at(isl_ext::dim_count(maps[k], Dim::Domain) + column);
  };
  std::vector<isl::map> out = maps;
  int left = width;
  for (int column = width - 1; column >= 0 && left > 1; --column) {
    bool same = !value(0, column).is_nan();
    for (std::size_t k = 1; same && k < maps.size(); ++k) {
      same = value(k, column).eq(value(0, column));
    }
    if (!same) continue;
    for (isl::map& map : out) map = isl_ext::project_out(map, Dim::Range, column, 1);
    --left;
  }
  isl::union_map all = isl::union_map::empty(time.ctx());
  for (const isl::map& map : out) all = all.unite(map.to_union_map());
  return all;
}

}  // namespace solway::schedule
