#include "driver/frontend/size.h"

#include <ostream>
#include <utility>

namespace solway {

Size size(std::string name, std::int64_t min, std::int64_t max, Line line) {
  return {dsl::make_size(std::move(name), min, max, to_source_loc(line)), line};
}

Extent::Extent(const Expr& value, Line line)
    : node_(dsl::make_extent(value.node(), to_source_loc(line))) {}

bool operator==(const Extent& a, const Extent& b) {
  return dsl::to_string(a.node()) == dsl::to_string(b.node());
}

std::ostream& operator<<(std::ostream& out, const Extent& extent) {
  return out << dsl::to_string(extent.node());
}

dsl::Extents nodes_of(const Shape& shape) {
  dsl::Extents out;
  for (const Extent& extent : shape) out.push_back(extent.node());
  return out;
}

}  // namespace solway
