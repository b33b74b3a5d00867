#include "schedule/mark_loop.h"

#include "schedule/proof.h"
#include "schedule/tensorize.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// How the iterations of a marked loop run.
std::string manner_of(LoopMark mark) {
  switch (mark) {
    case LoopMark::Serial:
      return "serial";
    case LoopMark::Parallel:
      return "parallel";
    case LoopMark::Unrolled:
      return "unrolled";
    case LoopMark::Vectorized:
      return "vectorized";
    case LoopMark::Tensorized:
      return "tensorized";
  }
  return "";
}

void require_unmarked(const Loop& loop, LoopMark mark, const std::string& request,
                      const SourceLoc& where) {
  if (loop.mark == LoopMark::Serial || loop.mark == mark) return;
  throw ScheduleArgumentError(
      {where, request + ": '" + loop.name + "' has another mark already",
       "it is " + manner_of(loop.mark) + " since " + loop.line().to_string(),
       "split it before that, and mark the two loops differently"});
}

}  // namespace

State mark_loop(State state, LoopId axis, LoopMark mark, const Request& request,
                const Cores& cores) {
  Loop& loop = state.order.loops.at(axis);
  const Loop before = loop;
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
  loop.marked_at = request.where;
  if (mark != LoopMark::Unrolled) prove_mark(state, axis, before, request);
  require_intrinsics(state, request);
  return state;
}

State marked(const State& state, const std::string& stage, LoopId axis, LoopMark mark,
             const std::string& primitive, const SourceLoc& where) {
  require_loop(state, stage, axis, primitive, where);
  const Request request{primitive + "(" + loop_name(state, axis) + ")", where};
  State out = mark_loop(state, axis, mark, request);
  out.log.push_back({primitive, stage, {{"", axis}}, {}, where});
  return out;
}

}  // namespace solway::schedule
