#pragma once

#include <string>
#include <vector>

#include "schedule/buffer.h"
#include "schedule/reorder.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule::testing {

/// The schedule of Figure 2(a) of the swTVM paper: x, yo, ko, yi, ki.
struct TiledMatmul : ScheduledMatmul {
  LoopId yo, yi, ko, ki;

  TiledMatmul(std::int64_t m, std::int64_t n, std::int64_t depth, std::int64_t y_factor,
              std::int64_t k_factor)
      : ScheduledMatmul(m, n, depth) {
    const SplitResult y = split(state, "C", ly, y_factor, samples::at(6));
    yo = y.outer;
    yi = y.inner;
    const SplitResult r = split(y.state, "C", lk, k_factor, samples::at(7));
    ko = r.outer;
    ki = r.inner;
    state = reorder(r.state, "C", {yo, ko, yi, ki}, samples::at(8));
  }
};

/// The region that loops vary.
inline Region region_of(const std::vector<LoopId>& loops) {
  Region out;
  for (const LoopId id : loops) {
    RegionItem item;
    item.loop = id;
    out.push_back(std::move(item));
  }
  return out;
}

inline BufferRequest request_for(const std::string& tensor, const std::vector<LoopId>& loops,
                                 LoopId at) {
  BufferRequest out;
  out.stage = "C";
  out.tensor = tensor;
  out.region = region_of(loops);
  out.at = at;
  out.text = "buffer(" + tensor + ")";
  return out;
}

/// "C_init: x y.o y.i"
inline std::vector<std::string> placements_of(const State& state) {
  std::vector<std::string> out;
  for (const Placement& p : state.order.placements) {
    std::string line = p.statement + ":";
    for (const LoopId id : p.path) line += " " + loop_name(state, id);
    out.push_back(line);
  }
  return out;
}

}  // namespace solway::schedule::testing
