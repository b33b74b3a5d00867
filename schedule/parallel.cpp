#include "schedule/parallel.h"

#include <algorithm>

#include "schedule/mark_loop.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// Requires that everything in `rows` stands in `columns` directly inside.
void require_nested(const State& state, LoopId rows, LoopId columns, const Request& request) {
  for (const Placement& p : state.order.placements) {
    const auto at = std::find(p.path.begin(), p.path.end(), rows);
    const bool is_nested = at != p.path.end() && at + 1 != p.path.end() && *(at + 1) == columns;
    const bool is_outside =
        at == p.path.end() && std::find(p.path.begin(), p.path.end(), columns) == p.path.end();
    if (is_nested || is_outside) continue;
    throw ScheduleArgumentError(
        {request.where,
         request.text + ": '" + loop_name(state, columns) + "' is not directly inside '" +
             loop_name(state, rows) + "'",
         "what stands in one of the two loops alone would have no core of its own",
         "reorder first, so that the two are neighbours"});
  }
}

}  // namespace

State parallel(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return marked(state, stage, axis, LoopMark::Parallel, "parallel", where);
}

State parallel_grid(const State& state, const std::string& stage, LoopId rows, LoopId columns,
                    const Grid& grid, const SourceLoc& where) {
  require_loop(state, stage, rows, "parallel", where);
  require_loop(state, stage, columns, "parallel", where);
  const std::string shape =
      "(" + std::to_string(grid.rows) + ", " + std::to_string(grid.columns) + ")";
  const Request request{"parallel(" + loop_name(state, rows) + ", " + loop_name(state, columns) +
                            ", grid=" + shape + ")",
                        where};
  if (grid.rows < 1 || grid.columns < 1) {
    throw ScheduleArgumentError({where, request.text + ": the grid has no cores",
                                 "it has " + std::to_string(grid.rows) + " rows and " +
                                     std::to_string(grid.columns) + " columns",
                                 "pass two positive numbers: grid=(8, 8)"});
  }
  require_nested(state, rows, columns, request);
  State out = mark_loop(state, rows, LoopMark::Parallel, request, {"row", grid.rows});
  out = mark_loop(std::move(out), columns, LoopMark::Parallel, request, {"column", grid.columns});
  out.log.push_back(
      {"parallel", stage, {{"", rows}, {"", columns}, {"grid", StepText{shape}}}, {}, where});
  return out;
}

}  // namespace solway::schedule
