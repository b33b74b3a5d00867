#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "schedule/state.h"

/// Lists of loops, as those around a statement, outermost first: Placement::path.
namespace solway::schedule {

inline bool contains(const std::vector<LoopId>& path, LoopId id) {
  return std::find(path.begin(), path.end(), id) != path.end();
}

/// Whether `prefix` are the outermost loops of `path`.
inline bool starts_with(const std::vector<LoopId>& path, const std::vector<LoopId>& prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

/// "'i', 'j'", or "no loop".
inline std::string names_of(const State& state, const std::vector<LoopId>& loops) {
  std::string out;
  for (const LoopId id : loops) {
    out += (out.empty() ? "'" : ", '") + loop_name(state, id) + "'";
  }
  return out.empty() ? "no loop" : out;
}

}  // namespace solway::schedule
