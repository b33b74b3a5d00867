#pragma once

#include <algorithm>
#include <vector>

#include "schedule/order.h"

/// The loops around a statement, outermost first: Placement::path.
namespace solway::schedule {

inline bool contains(const std::vector<LoopId>& path, LoopId id) {
  return std::find(path.begin(), path.end(), id) != path.end();
}

/// Whether `prefix` are the outermost loops of `path`.
inline bool starts_with(const std::vector<LoopId>& path, const std::vector<LoopId>& prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

}  // namespace solway::schedule
