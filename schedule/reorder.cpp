#include "schedule/reorder.h"

#include <algorithm>
#include <iterator>

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

/// Lets those of `axes` that stand in `loops` take the places that they hold, in the order given.
void permute(std::vector<LoopId>& loops, const std::vector<LoopId>& axes) {
  const auto has = [](const std::vector<LoopId>& all, LoopId id) {
    return std::find(all.begin(), all.end(), id) != all.end();
  };
  std::vector<LoopId> present;
  std::copy_if(axes.begin(), axes.end(), std::back_inserter(present),
               [&](LoopId id) { return has(loops, id); });
  auto next = present.begin();
  for (LoopId& place : loops) {
    if (has(present, place)) place = *next++;
  }
}

/// Sorts the loops of `path` that the stage has by their place in `loops`, among the places that
/// they hold; those of other stages, which may stand around or inside, keep theirs.
void follow(std::vector<LoopId>& path, const std::vector<LoopId>& loops) {
  const auto place = [&](LoopId id) { return std::find(loops.begin(), loops.end(), id); };
  std::vector<std::size_t> held;
  std::vector<LoopId> own;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (place(path[k]) == loops.end()) continue;
    held.push_back(k);
    own.push_back(path[k]);
  }
  std::stable_sort(own.begin(), own.end(), [&](LoopId a, LoopId b) { return place(a) < place(b); });
  for (std::size_t k = 0; k < held.size(); ++k) path[held[k]] = own[k];
}

}  // namespace

State reorder(const State& state, const std::string& stage, const std::vector<LoopId>& axes,
              const SourceLoc& where) {
  const std::string request = request_text(state, axes);
  State out = state;
  for (const LoopId id : axes) require_loop(state, stage, id, request, where);
  require_distinct(state, axes, request, where);
  for (auto& [name, own] : out.stage_loops) permute(own, axes);
  const std::vector<LoopId>& order = out.stage_loops.at(stage);
  for (auto& [name, own] : out.stage_loops) follow(own, order);  // those that share loops with it
  for (Placement& p : out.order.placements) {
    follow(p.path, out.stage_loops.at(out.program->statement(p.statement).stage));
    follow(p.path, order);  // what was placed in the loops of the stage
  }
  Step step{"reorder", stage, {}, {}, where};
  for (const LoopId id : axes) step.arguments.emplace_back("", id);
  return proved(std::move(out), std::move(step), {request, where});
}

}  // namespace solway::schedule
