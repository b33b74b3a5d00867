#pragma once

#include <cstdint>
#include <vector>

#include <isl/cpp.h>

namespace solway::isl_ext {

/// Of these points, of as many coordinates as `set` has dimensions, those that lie in it, in their
/// order. `set` has no parameters.
std::vector<std::vector<std::int64_t>> points_in(
    const isl::set& set, const std::vector<std::vector<std::int64_t>>& points);

}  // namespace solway::isl_ext
