#include "schedule/mark_loop.h"

#include <algorithm>

#include "schedule/legality.h"
#include "schedule/tensorize.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

constexpr const char* kAllCores = "core";

/// Where the iterations of a parallel loop run.
struct Cores {
  std::string hardware = kAllCores;
  std::int64_t parts = 0;  ///< 0: all there are
};

void require_unmarked(const Loop& loop, LoopMark mark, const std::string& request,
                      const SourceLoc& where) {
  if (loop.mark == LoopMark::Serial || loop.mark == mark) return;
  throw ScheduleArgumentError({where, request + ": '" + loop.name + "' has another mark already",
                               "a loop runs in one way",
                               "split it and mark the two loops differently"});
}

State mark_loop(State out, LoopId axis, LoopMark mark, const Request& request,
                const Cores& cores = {}) {
  Loop& loop = out.order.loops.at(axis);
  require_unmarked(loop, mark, request.text, request.where);
  if (mark == LoopMark::Parallel) {
    if (loop.mark == mark && (loop.hardware != cores.hardware || loop.parts != cores.parts)) {
      throw ScheduleArgumentError(
          {request.where, request.text + ": '" + loop.name + "' has another mark already",
           "its iterations run on '" + loop.hardware + "'", "bind each loop once"});
    }
    loop.hardware = cores.hardware;
    loop.parts = cores.parts;
  }
  loop.mark = mark;
  if (mark != LoopMark::Unrolled) require_no_race(out, axis, request);
  require_intrinsics(out, request);
  return out;
}

State marked(const State& state, const std::string& stage, LoopId axis, LoopMark mark,
             const std::string& primitive, const SourceLoc& where) {
  require_loop(state, stage, axis, primitive, where);
  const Request request{primitive + "(" + loop_name(state, axis) + ")", where};
  State out = mark_loop(state, axis, mark, request);
  out.log.push_back({primitive, stage, {{"", axis}}, {}, where});
  return out;
}

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

State vectorize(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return marked(state, stage, axis, LoopMark::Vectorized, "vectorize", where);
}

State unroll(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return marked(state, stage, axis, LoopMark::Unrolled, "unroll", where);
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

State bind(const State& state, const std::string& stage, LoopId axis, const std::string& hardware,
           const SourceLoc& where) {
  require_loop(state, stage, axis, "bind", where);
  const Request request{"bind(" + loop_name(state, axis) + ", \"" + hardware + "\")", where};
  if (hardware.empty()) {
    throw ScheduleArgumentError({where, request.text + ": the hardware has no name",
                                 "a target names its dimensions, such as \"core\"",
                                 "pass \"core\", \"row\" or \"column\""});
  }
  State out = mark_loop(state, axis, LoopMark::Parallel, request, {hardware, 0});
  out.log.push_back({"bind", stage, {{"", axis}, {"", hardware}}, {}, where});
  return out;
}

}  // namespace solway::schedule
