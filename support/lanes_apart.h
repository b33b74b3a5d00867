#pragma once

#include <cstdint>

namespace solway {

/// Lanes whose elements lie up to so far apart are put together from whole vectors, or taken from
/// them, by shuffles. The planner of vector CPUs counts on what code generation does.
inline constexpr std::int64_t kMostLanesApart = 4;

/// Whether a vector whose elements lie `step` apart is loaded as whole vectors of neighbours: few
/// lanes are loaded one by one.
inline bool are_loaded_whole(std::int64_t step, std::int64_t lanes) {
  return step == 2 || (step > 2 && step <= kMostLanesApart && lanes >= 2 * step);
}

}  // namespace solway
