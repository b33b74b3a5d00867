#include "schedule/reorder.h"

#include <algorithm>

#include "schedule/rewrite_loops.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

std::string request_text(const State& state, const std::vector<LoopId>& axes) {
  std::string out = "reorder(";
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const bool known = state.order.loops.count(axes[k]) != 0 || state.removed.count(axes[k]) != 0;
    out += (k == 0 ? "" : ", ") + (known ? loop_name(state, axes[k]) : std::string("axis"));
  }
  return out + ")";
}

/// Sorts the loops of `path` that the stage has by their place in `loops`.
void follow(std::vector<LoopId>& path, const std::vector<LoopId>& loops) {
  const auto place = [&](LoopId id) { return std::find(loops.begin(), loops.end(), id); };
  std::stable_sort(path.begin(), path.end(),
                   [&](LoopId a, LoopId b) { return place(a) < place(b); });
}

}  // namespace

State reorder(const State& state, const std::string& stage, const std::vector<LoopId>& axes,
              const SourceLoc& where) {
  const std::string request = request_text(state, axes);
  std::vector<std::size_t> places;
  State out = state;
  std::vector<LoopId>& loops = out.stage_loops.at(stage);
  for (const LoopId id : axes) {
    require_loop(state, stage, id, request, where);
    const auto place =
        static_cast<std::size_t>(std::find(loops.begin(), loops.end(), id) - loops.begin());
    if (std::find(places.begin(), places.end(), place) != places.end()) {
      throw ScheduleArgumentError({where,
                                   request + ": axis '" + loop_name(state, id) + "' is named twice",
                                   "each axis has one place", "name each axis once"});
    }
    places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t k = 0; k < places.size(); ++k) loops[places[k]] = axes[k];
  for (const std::string& name : statements_of(state, stage)) {
    for (Placement& p : out.order.placements) {
      if (p.statement == name) follow(p.path, loops);
    }
  }
  Step step{"reorder", stage, {}, {}, where};
  for (const LoopId id : axes) step.arguments.emplace_back("", id);
  return proved(std::move(out), std::move(step), {request, where});
}

}  // namespace solway::schedule
